package standin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(StandinExtension.class)
class StandinTest {
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    /** Stands for the code under test. */
    private static int send(String url, String to, String subject, String key, String... headers) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(url + "/emails"))
            .header("Authorization", "Bearer " + key)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString("""
                {"from": "shop@example.com", "to": "%s", "subject": "%s", "text": "Your code is 493201."}"""
                .formatted(to, subject)));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return HTTP.send(request.build(), BodyHandlers.ofString()).statusCode();
    }

    private static int send(Standin standin, String subject) throws Exception {
        return send(standin.endpoint("mail3").url(), standin.address("ada@example.org"), subject, "re_any");
    }

    @Test
    void addressCredentialAndHeaderChooseTheNamespace(Standin standin) throws Exception {
        var url = standin.endpoint("mail3").url();
        send(standin, "one");
        send(url, "bob@example.org", "two", standin.credential("re_any"));
        send(url, "eve@example.org", "three", "re_any", Standin.HEADER, standin.headers().get(Standin.HEADER));
        var events = standin.waitForCount(3, "mail.message", Map.of(), Duration.ofSeconds(5));
        assertEquals(List.of("three", "two", "one"), events.stream().map(event -> event.text("subject")).toList());
        assertTrue(events.stream().allMatch(event -> standin.name().equals(event.namespace())));
        assertEquals("bob@example.org", events.get(1).text("to[0].email"));
        assertEquals(List.of("493201"), standin.extract(standin.list("mail.message").get(0)).codes());
        standin.clear(Map.of("plugin", "mail", "subject", "two"));
        assertEquals(2, standin.list().size());
    }

    @Test
    void anExpectationThatFailsShowsTheClosestEvent(Standin standin) throws Exception {
        send(standin, "Welcome");
        standin.expect(Expectation.of("mail.message").match("subject", "Welcome").count(1));
        standin.expect(Expectation.of("mail.message").filter("subject", "welcome").count(1, 2));
        standin.expect(Expectation.inOrder(
            Expectation.any().match("codes[0]", Map.of("regex", "^[0-9]{6}$"))));
        standin.expect(Expectation.of("sms.message").none());
        var wrong = Expectation.of("mail.message").match("subject", "Bye").timeout(Duration.ZERO);
        var error = assertThrows(ExpectationError.class, () -> standin.expect(wrong));
        assertTrue(error.getMessage().contains("differs subject: expected \"Bye\", got \"Welcome\""), error.getMessage());
        assertNotNull(error.verdict().get("closest"));
    }

    @Test
    void whatIsWrongIsSaidInTheWordsOfTheService(Standin standin) {
        var said = new ArrayList<String>();
        said.add(assertThrows(WaitError.class,
            () -> standin.waitFor("mail.message", Map.of(), Duration.ofMillis(50))).getMessage());
        var unknown = assertThrows(StandinException.class, () -> standin.list("mail.message", Map.of("subjct", "x")));
        assertEquals(400, unknown.status());
        said.add(unknown.getMessage());
        for (Runnable call : List.<Runnable>of(() -> standin.list("mail.message", Map.of("subject", "")),
            () -> standin.endpoint("smpt"), () -> standin.endpoint("http"), () -> standin.namespace("a--b"))) {
            said.add(assertThrows(IllegalArgumentException.class, call::run).getMessage());
        }
        said.add(assertThrows(StandinException.class, () -> Standin.connect("http://127.0.0.1:1").list()).getMessage());
        said.add(assertThrows(StandinException.class,
            () -> StandinProgram.start("/there/is/none", List.of(), Duration.ofSeconds(5))).getMessage());
        var wanted = List.of("Timed out: 0 of 1 events match after 50 ms", "did you mean \"subject\"?",
            "Cannot use \"subject\": it is empty", "running are mail/mail1", "choose one of s3/http, as2/http",
            "Cannot use namespace \"a--b\"", "Cannot reach standin at http://127.0.0.1:1", "Cannot start /there/is/none");
        for (var i = 0; i < wanted.size(); i++) {
            assertTrue(said.get(i).contains(wanted.get(i)), said.get(i));
        }
        standin.waitForNone("mail.message", Map.of(), Duration.ofMillis(50));
    }

    @Test
    void aFaultHitsOnlyTheNamespaceOfItsTest(Standin standin) throws Exception {
        try (var fault = standin.fault("mail/mail3", "rate_limit", "server_error")) {
            assertEquals(List.of(429, 500, 200), List.of(send(standin, "x"), send(standin, "x"), send(standin, "x")));
            assertEquals(200, send(standin.endpoint("mail3").url(), "bob@example.org", "x", "re_any"));
            assertEquals(2, fault.hits());
        }
        assertEquals(200, send(standin, "x"));
    }

    @Test
    void aProgramIsStartedAndStopped() throws Exception {
        var program = StandinProgram.start("--instance=of-java");
        try (program) {
            send(program.ingress(), "ada@example.org", "Welcome", "re_any");
            assertEquals("Welcome", program.waitFor("mail.message").text("subject"));
        }
        assertThrows(StandinException.class, program::list);
        var error = assertThrows(StandinException.class, () -> StandinProgram.start("--smpt-port=1"));
        assertTrue(error.getMessage().contains("did you mean --smtp-port?"), error.getMessage());
    }

    /** They ask for the same thing of the same recipient, and see only their own. */
    @RepeatedTest(24)
    void inParallel(RepetitionInfo repetition, Standin standin) throws Exception {
        var subject = "Order " + repetition.getCurrentRepetition();
        send(standin, subject);
        standin.expect(Expectation.of("mail.message").match("subject", subject).count(1));
        assertEquals(1, standin.list().size());
        standin.clear();
        standin.expect(Expectation.of("mail.message").none());
    }
}
