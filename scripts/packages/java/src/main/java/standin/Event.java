package standin;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * One captured item.
 *
 * @param id 24 lower-case hex digits; sorts by time
 * @param type kind of item, such as {@code mail.message}
 * @param plugin plugin that captured it
 * @param provider provider that captured it
 * @param namespace namespace of its sender, or null
 * @param receivedAt when it was received
 * @param summary one line
 * @param payload the item in the model of its plugin; see {@link #text}
 * @param raw what was received
 * @param meta further facts of the provider
 * @param url page of the user interface about it, or null
 * @param extracted set for events that were waited for or expected, otherwise null
 */
public record Event(String id, String type, String plugin, String provider, String namespace, Instant receivedAt,
    String summary, Map<String, Object> payload, Map<String, Object> raw, Map<String, Object> meta, String url,
    Extracted extracted) {

    private static final Pattern STEP = Pattern.compile("([^.\\[\\]]+)|\\[(\\d+)\\]");

    static Event of(Map<String, Object> record) {
        var extracted = record.get("extracted");
        return new Event((String) record.get("id"), (String) record.get("type"), (String) record.get("plugin"),
            (String) record.get("provider"), (String) record.get("namespace"),
            Instant.parse((String) record.get("received_at")), (String) record.get("summary"),
            Json.object(record.get("payload")), Json.object(record.get("raw")), Json.object(record.get("meta")),
            (String) record.get("url"), extracted == null ? null : Extracted.of(Json.object(extracted)));
    }

    /** Returns the value at a path of the payload, such as {@code to[0].email}, or null. */
    public Object get(String path) {
        Object value = payload;
        for (var step = STEP.matcher(path); step.find();) {
            if (step.group(1) != null) {
                value = value instanceof Map<?, ?> map ? map.get(step.group(1)) : null;
            } else {
                var index = Integer.parseInt(step.group(2));
                value = value instanceof List<?> list && index < list.size() ? list.get(index) : null;
            }
        }
        return value;
    }

    /** Returns the same as text, or null. */
    public String text(String path) {
        var value = get(path);
        return value == null ? null : value.toString();
    }
}
