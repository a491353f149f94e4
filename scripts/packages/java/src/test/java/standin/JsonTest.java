package standin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonTest {
    @Test
    void whatIsWrittenIsReadBack() {
        for (var value : Arrays.asList(null, true, false, 0L, -12L, 1.5, 1e300, "", "a\"\\\n\u0001\u00e9\ud83d\ude00",
            List.of(), List.of(1L, List.of("x"), Map.of()), Map.of("a b", Map.of("c", List.of(true))))) {
            assertEquals(value, Json.parse(Json.write(value)));
        }
        assertEquals("\u00e9/\t", Json.parse(" \"\\u00e9\\/\\t\" "));
        assertEquals(12345678901234567890.0, Json.parse("12345678901234567890"));
    }

    @Test
    void whatIsNotJsonIsRefused() {
        for (var text : List.of("", "{", "[1,]", "{\"a\":}", "{\"a\" 1}", "\"a", "\"\\x\"", "\"\\u00\"", "\"\n\"", "tru",
            "1 2", "--1", "nul", "[".repeat(100_000))) {
            assertThrows(IllegalArgumentException.class, () -> Json.parse(text), text.substring(0, Math.min(9, text.length())));
        }
        assertThrows(IllegalArgumentException.class, () -> Json.write(Double.NaN));
        assertThrows(IllegalArgumentException.class, () -> Json.write(new Object()));
    }
}
