package standin;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Reads and asserts on the captures of a running service, or of one namespace of it. Filters are parameters of the
 * service, such as {@code to} and {@code subject} of emails; it refuses one that it does not know. May be used by several
 * threads.
 */
public class Standin {
    /** Field that names the namespace of a request or mail by default. */
    public static final String HEADER = "X-Standin-Namespace";
    /** Rule of recipients that reads what {@link #address} returns. */
    public static final String RECIPIENT_RULE = "*+{namespace}@*";
    /** Rule of credentials that reads what {@link #credential} returns. */
    public static final String CREDENTIAL_RULE = "*--{namespace}";

    static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.:]+(?:-[A-Za-z0-9_.:]+)*");

    private final Api api;
    private final String namespace;

    Standin(Api api, String namespace) {
        this.api = api;
        this.namespace = namespace;
    }

    /** Returns a client of the service at {@code STANDIN_URL}, or at {@code http://localhost:8811}. */
    public static Standin connect() {
        var url = System.getenv("STANDIN_URL");
        return connect(url == null || url.isEmpty() ? "http://localhost:8811" : url);
    }

    /** Returns a client of the service whose pages are at this address. */
    public static Standin connect(String url) {
        return connect(url, null);
    }

    /** The same with the token of {@code [api] token}. */
    public static Standin connect(String url, String token) {
        return new Standin(new Api(url, token), null);
    }

    /** Returns the address of the service's pages and API. */
    public String url() {
        return api.url;
    }

    /**
     * Returns a client of the same service that sees only this namespace. Throws {@code IllegalArgumentException} for a
     * name that a rule would read as another one, or not at all.
     */
    public Standin namespace(String name) {
        if (name.length() > 64 || !NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("Cannot use namespace \"" + name
                + "\": expected 1 to 64 letters, digits, \"_\", \".\", \":\" and single \"-\" between them");
        }
        return new Standin(api, name);
    }

    /** Returns a namespace that no other test uses. */
    public static String uniqueName(String prefix) {
        return prefix + "-" + UUID.randomUUID().toString().substring(0, 13);
    }

    /** Returns the namespace of this client. Throws {@code IllegalStateException} if it has none. */
    public String name() {
        if (namespace == null) {
            throw new IllegalStateException("Cannot name the namespace: this client has none; use namespace(name) first");
        }
        return namespace;
    }

    /** Returns the header fields that put a request or mail into the namespace. */
    public Map<String, String> headers() {
        return Map.of(HEADER, name());
    }

    /**
     * Returns a recipient of the namespace: {@code ada@example.org} becomes {@code ada+t1@example.org}, for
     * {@link #RECIPIENT_RULE}.
     */
    public String address(String address) {
        var at = address.lastIndexOf('@');
        if (at < 1) {
            throw new IllegalArgumentException(
                "Cannot put \"" + address + "\" into a namespace: expected an email address");
        }
        return address.substring(0, at) + "+" + name() + address.substring(at);
    }

    /**
     * Returns an API key, token, user name or password of the namespace: {@code re_any} becomes {@code re_any--t1}, for
     * {@link #CREDENTIAL_RULE}.
     */
    public String credential(String credential) {
        return credential + "--" + name();
    }

    /** Returns where a provider listens: {@code smtp}, or with its plugin {@code s3/http}. */
    public Endpoint endpoint(String provider) {
        var running = new ArrayList<String>();
        var found = new LinkedHashMap<String, String>();
        for (var one : Json.list(api.call("GET", "/plugins", null))) {
            var plugin = Json.object(one);
            for (var other : Json.list(plugin.get("providers"))) {
                var record = Json.object(other);
                if (!(record.get("url") instanceof String url)) {
                    continue;
                }
                var name = plugin.get("name") + "/" + record.get("name");
                running.add(name);
                if (provider.equals(name) || provider.equals(record.get("name"))) {
                    found.put(name, url);
                }
            }
        }
        if (found.size() == 1) {
            return Endpoint.of(found.values().iterator().next());
        }
        throw new IllegalArgumentException("Cannot find provider \"" + provider + "\": "
            + (found.isEmpty() ? "running are " + String.join(", ", running)
                : "choose one of " + String.join(", ", found.keySet())));
    }

    /** Lists all events, newest first. */
    public List<Event> list() {
        return events(api.call("GET", "/events" + Api.query(query(Map.of())), null));
    }

    /** Lists events of a type, newest first. */
    public List<Event> list(String type) {
        return list(type, Map.of());
    }

    /** Lists events of a type that meet the filters, newest first. */
    public List<Event> list(String type, Map<String, ?> filters) {
        return events(api.call("GET", "/events" + Api.query(query(type, filters)), null));
    }

    /** Gets one event with its body. */
    public Event event(String id) {
        return Event.of(Json.object(api.call("GET", "/events/" + Api.encode(id), null)));
    }

    /** Returns the oldest held event of a type, or the next to arrive within 5 seconds. Throws {@link WaitError}. */
    public Event waitFor(String type) {
        return waitFor(type, Map.of());
    }

    /** The same for events that meet the filters. */
    public Event waitFor(String type, Map<String, ?> filters) {
        return waitFor(type, filters, DEFAULT_TIMEOUT);
    }

    /** The same with another time, at most a minute. */
    public Event waitFor(String type, Map<String, ?> filters, Duration timeout) {
        var events = waitForCount(1, type, filters, timeout);
        return events.get(events.size() - 1);
    }

    /**
     * Waits until so many events match, those already held included, and returns them newest first. Throws
     * {@link WaitError}.
     */
    public List<Event> waitForCount(int count, String type, Map<String, ?> filters, Duration timeout) {
        return await(type, filters, timeout, Map.of("count", count));
    }

    /** Returns when the time is over, or throws {@link WaitError} as soon as an event matches. */
    public void waitForNone(String type, Map<String, ?> filters, Duration timeout) {
        await(type, filters, timeout, Map.of("absent", true));
    }

    private List<Event> await(String type, Map<String, ?> filters, Duration timeout, Map<String, ?> more) {
        var query = query(type, filters);
        query.put("timeout", timeout.toMillis());
        query.putAll(more);
        var answer = api.send("GET", "/events/wait" + Api.query(query), null, timeout);
        if (answer.statusCode() == 409) {
            throw new WaitError(Api.message(answer, "GET /events/wait"));
        }
        if (answer.statusCode() >= 400) {
            throw Api.refusal(answer, "GET /events/wait");
        }
        return events(Json.parse(Api.text(answer)));
    }

    /**
     * Returns the matching events in order of capture, as soon as the expectation is met. Throws
     * {@link ExpectationError}.
     */
    public List<Event> expect(Expectation expectation) {
        var body = new LinkedHashMap<String, Object>();
        if (namespace != null) {
            body.put("namespace", namespace);
        }
        body.putAll(expectation.body());
        var answer = api.send("POST", "/expect", body, expectation.timeout());
        if (answer.statusCode() != 409 && answer.statusCode() >= 400) {
            throw Api.refusal(answer, "POST /expect");
        }
        var verdict = Json.object(Json.parse(Api.text(answer)));
        if (answer.statusCode() == 409) {
            throw new ExpectationError(verdict);
        }
        return events(verdict.get("events"));
    }

    /** Returns the one-time codes, links and tokens in the text of an event. */
    public Extracted extract(Event event) {
        if (event.extracted() != null) {
            return event.extracted();
        }
        var extracted = event(event.id()).extracted();
        return extracted == null ? new Extracted(List.of(), List.of(), List.of()) : extracted;
    }

    /** Deletes all events. */
    public void clear() {
        clear(Map.of());
    }

    /** Deletes the events that a list with the same filters returns. */
    public void clear(Map<String, ?> filters) {
        api.call("DELETE", "/events" + Api.query(query(filters)), null);
    }

    /**
     * Makes a provider fail from now on. Several outcomes hit one match each; then the provider works as usual. For the
     * other parts of a rule, see {@link #fault(Map)}.
     */
    public Fault fault(String on, String... outcomes) {
        return fault(Map.of("on", on, "outcome", outcomes.length == 1 ? outcomes[0] : List.of(outcomes)));
    }

    /** Makes a provider fail as the rule says; in the namespace of this client unless the rule names one. */
    public Fault fault(Map<String, ?> rule) {
        var body = new LinkedHashMap<String, Object>();
        if (namespace != null) {
            body.put("namespace", namespace);
        }
        body.putAll(rule);
        return new Fault(api, (String) Json.object(api.call("POST", "/faults", body)).get("id"));
    }

    /** Reads an attachment, file or object. */
    public byte[] blob(String id) {
        var path = "/blobs/" + Api.encode(id);
        var answer = api.send("GET", path, null, Duration.ZERO);
        if (answer.statusCode() >= 400) {
            throw Api.refusal(answer, "GET " + path);
        }
        return answer.body();
    }

    /** Lists rejected and unmatched requests, newest first. */
    public List<Map<String, Object>> rejected() {
        return Json.list(api.call("GET", "/rejected", null)).stream().map(Json::object).toList();
    }

    /** Resets the whole service, for everybody who uses it. */
    public void reset() {
        api.call("POST", "/reset", null);
    }

    /** Returns whether every listener accepts connections. */
    public boolean ready() {
        return api.send("GET", "/ready", null, Duration.ZERO).statusCode() == 200;
    }

    static Object given(String name, Object value) {
        // A parameter without a value would be dropped, and the condition with it.
        if (value == null || "".equals(value)) {
            throw new IllegalArgumentException("Cannot use \"" + name + "\": it is empty; leave it out");
        }
        return value;
    }

    private Map<String, Object> query(String type, Map<String, ?> filters) {
        var query = query(filters);
        query.put("type", given("type", type));
        return query;
    }

    private Map<String, Object> query(Map<String, ?> filters) {
        var query = new LinkedHashMap<String, Object>();
        if (namespace != null) {
            query.put("namespace", namespace);
        }
        filters.forEach((name, value) -> query.put(name, given(name, value)));
        return query;
    }

    private static List<Event> events(Object list) {
        return Json.list(list).stream().map(Json::object).map(Event::of).toList();
    }
}
