package standin;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Describes past or future events:
 * {@code Expectation.of("mail.message").match("codes[0]", Map.of("regex", "^[0-9]{6}$")).count(1)}.
 */
public final class Expectation {
    private final Map<String, Object> body = new LinkedHashMap<>();
    private final Map<String, Object> match = new LinkedHashMap<>();
    private Duration timeout = Standin.DEFAULT_TIMEOUT;

    private Expectation() {}

    /** Expects events of this type. */
    public static Expectation of(String type) {
        return any().with("type", type);
    }

    /** Expects events of any type. */
    public static Expectation any() {
        return new Expectation();
    }

    /** Expects events in this order, others between them or not. */
    public static Expectation inOrder(Expectation... steps) {
        var order = new ArrayList<Map<String, Object>>();
        for (var step : steps) {
            order.add(step.body());
        }
        return any().with("order", List.copyOf(order));
    }

    /** Adds a filter of the service, such as {@code to} and {@code subject} of mails. */
    public Expectation filter(String name, Object value) {
        return with(name, Standin.given(name, value));
    }

    /**
     * Adds a condition by path, such as {@code to[0].email} or {@code codes[*]}: a value, or a map of equals, contains,
     * regex, exists and not.
     */
    public Expectation match(String path, Object condition) {
        match.put(path, condition);
        return this;
    }

    /** Expects exactly so many events; at least one unless given. */
    public Expectation count(int count) {
        return with("count", count);
    }

    /** Expects from {@code min} to {@code max} events. */
    public Expectation count(int min, int max) {
        return with("count", Map.of("min", min, "max", max));
    }

    /** Expects that no event matches. */
    public Expectation none() {
        return with("none", true);
    }

    /** Waits no longer than this, at most a minute; 5 seconds unless given. */
    public Expectation timeout(Duration timeout) {
        this.timeout = timeout;
        return with("timeout", timeout.toMillis());
    }

    Duration timeout() {
        return timeout;
    }

    Map<String, Object> body() {
        var all = new LinkedHashMap<>(body);
        if (!match.isEmpty()) {
            all.put("match", match);
        }
        return all;
    }

    private Expectation with(String name, Object value) {
        body.put(name, value);
        return this;
    }
}
