package standin;

import java.util.List;
import java.util.Map;

/**
 * What a person would copy from a text.
 *
 * @param codes one-time codes, the most likely first
 * @param links links, in order
 * @param tokens tokens in links that identify the recipient
 */
public record Extracted(List<String> codes, List<String> links, List<String> tokens) {
    static Extracted of(Map<String, Object> record) {
        return new Extracted(Json.texts(record.get("codes")), Json.texts(record.get("links")),
            Json.texts(record.get("tokens")));
    }
}
