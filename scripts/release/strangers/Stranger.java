// A project of somebody else's, with the JAR from a release: sends an email and finds it.

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import standin.StandinProgram;

class Stranger {
    public static void main(String[] args) throws Exception {
        var mail = """
            {"from":"shop@example.com","to":"ada@example.org","subject":"Hello from Java","text":"x"}""";
        try (var service = StandinProgram.start()) {
            var request = HttpRequest.newBuilder(URI.create(service.ingress() + "/emails"))
                .header("Authorization", "Bearer re_any").header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(mail)).build();
            HttpClient.newHttpClient().send(request, BodyHandlers.discarding());
            System.out.println(service.waitFor("mail.message", Map.of("to", "ada@example.org")).text("subject"));
        }
    }
}
