package standin;

import java.net.URI;

/**
 * Where a provider listens.
 *
 * @param url such as {@code smtp://localhost:1025}
 * @param host the host in it
 * @param port the port in it
 */
public record Endpoint(String url, String host, int port) {
    static Endpoint of(String url) {
        var uri = URI.create(url);
        return new Endpoint(url, uri.getHost(), uri.getPort());
    }
}
