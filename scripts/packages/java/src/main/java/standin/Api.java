package standin;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;

/** Calls of the read-back API of one service. */
final class Api {
    /** How much longer an answer may take than the wait that was asked for. */
    private static final Duration MARGIN = Duration.ofSeconds(10);

    // The application under test may be sent to standin by a proxy property, which is not meant for this.
    private static final HttpClient HTTP = HttpClient.newBuilder()
        .proxy(HttpClient.Builder.NO_PROXY)
        .version(HttpClient.Version.HTTP_1_1)
        .connectTimeout(MARGIN)
        .build();

    final String url;
    private final String token;

    Api(String url, String token) {
        this.url = url.replaceAll("/+$", "");
        this.token = token;
    }

    /** Returns the decoded answer. Throws {@code StandinException}, with what the service says, for a refusal. */
    Object call(String method, String path, Map<String, Object> body) {
        var answer = send(method, path, body, Duration.ZERO);
        if (answer.statusCode() >= 400) {
            throw refusal(answer, method + " " + path);
        }
        var text = text(answer);
        return text.isEmpty() ? null : Json.parse(text);
    }

    HttpResponse<byte[]> send(String method, String path, Map<String, Object> body, Duration wait) {
        var request = HttpRequest.newBuilder(URI.create(url + "/api/v1" + path))
            .timeout(wait.plus(MARGIN))
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(Json.write(body)));
        if (body != null) {
            request.header("Content-Type", "application/json");
        }
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        try {
            return HTTP.send(request.build(), BodyHandlers.ofByteArray());
        } catch (IOException error) {
            throw new StandinException("Cannot reach standin at " + url + ": " + error
                + "; start it with `standin serve`, or set STANDIN_URL to where it is", error);
        } catch (InterruptedException error) {
            Thread.currentThread().interrupt();
            throw new StandinException("Interrupted while waiting for standin at " + url, error);
        }
    }

    static String text(HttpResponse<byte[]> answer) {
        return new String(answer.body(), StandardCharsets.UTF_8);
    }

    static StandinException refusal(HttpResponse<byte[]> answer, String what) {
        return new StandinException(answer.statusCode(), message(answer, what));
    }

    static String message(HttpResponse<byte[]> answer, String what) {
        var text = text(answer);
        try {
            if (Json.object(Json.parse(text)).get("error") instanceof String error) {
                return error;
            }
        } catch (IllegalArgumentException error) {
            // It is shown as it is.
        }
        return what + " was answered " + answer.statusCode() + ": " + text.substring(0, Math.min(2000, text.length()));
    }

    /** Returns the parameters with their {@code ?}. */
    static String query(Map<String, Object> parameters) {
        if (parameters.isEmpty()) {
            return "";
        }
        return parameters.entrySet().stream()
            .map(one -> encode(one.getKey()) + "=" + encode(String.valueOf(one.getValue())))
            .collect(Collectors.joining("&", "?", ""));
    }

    static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
