package standin;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON, RFC 8259: objects are maps, arrays lists, numbers {@code Long} or {@code Double}. */
final class Json {
    /** Deeper values are refused before they exhaust the stack. */
    private static final int MAX_DEPTH = 512;

    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    /** Parses one value. Throws {@code IllegalArgumentException}, with the position, for what is not JSON. */
    static Object parse(String text) {
        var json = new Json(text);
        var value = json.value(0);
        json.skipBlanks();
        if (json.at < text.length()) {
            throw json.unexpected();
        }
        return value;
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> object(Object value) {
        return value instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
    }

    static List<?> list(Object value) {
        return value instanceof List<?> list ? list : List.of();
    }

    static List<String> texts(Object value) {
        return list(value).stream().map(String::valueOf).toList();
    }

    /** Writes maps, iterables, texts, numbers, booleans and null. Throws {@code IllegalArgumentException} for others. */
    static String write(Object value) {
        var out = new StringBuilder();
        write(value, out);
        return out.toString();
    }

    private static void write(Object value, StringBuilder out) {
        if (value instanceof Map<?, ?> map) {
            out.append('{');
            var separator = "";
            for (var entry : map.entrySet()) {
                out.append(separator);
                writeText(String.valueOf(entry.getKey()), out);
                out.append(':');
                write(entry.getValue(), out);
                separator = ",";
            }
            out.append('}');
        } else if (value instanceof Iterable<?> all) {
            out.append('[');
            var separator = "";
            for (var one : all) {
                out.append(separator);
                write(one, out);
                separator = ",";
            }
            out.append(']');
        } else if (value == null || value instanceof Boolean || isFinite(value)) {
            out.append(value);
        } else if (value instanceof CharSequence text) {
            writeText(text, out);
        } else {
            throw new IllegalArgumentException("Cannot write " + value.getClass().getName()
                + " as JSON: expected a map, list, text, number or boolean");
        }
    }

    private static boolean isFinite(Object value) {
        return value instanceof Number number && Double.isFinite(number.doubleValue());
    }

    private static void writeText(CharSequence text, StringBuilder out) {
        out.append('"');
        for (var i = 0; i < text.length(); i++) {
            var c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }

    private Object value(int depth) {
        if (depth > MAX_DEPTH) {
            throw new IllegalArgumentException("Cannot read JSON: it is nested too deeply");
        }
        skipBlanks();
        return switch (peek()) {
            case '{' -> members(depth);
            case '[' -> items(depth);
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    private Map<String, Object> members(int depth) {
        var map = new LinkedHashMap<String, Object>();
        at++;
        skipBlanks();
        if (peek() == '}') {
            at++;
            return map;
        }
        while (true) {
            skipBlanks();
            var name = string();
            skipBlanks();
            take(':');
            map.put(name, value(depth + 1));
            skipBlanks();
            if (peek() == '}') {
                at++;
                return Collections.unmodifiableMap(map);
            }
            take(',');
        }
    }

    private List<Object> items(int depth) {
        var list = new ArrayList<Object>();
        at++;
        skipBlanks();
        if (peek() == ']') {
            at++;
            return list;
        }
        while (true) {
            list.add(value(depth + 1));
            skipBlanks();
            if (peek() == ']') {
                at++;
                return Collections.unmodifiableList(list);
            }
            take(',');
        }
    }

    private String string() {
        take('"');
        var out = new StringBuilder();
        while (true) {
            var c = peek();
            at++;
            if (c == '"') {
                return out.toString();
            }
            if (c < ' ') {
                at--;
                throw unexpected();
            }
            out.append(c == '\\' ? escaped() : c);
        }
    }

    private char escaped() {
        var c = peek();
        at++;
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> {
                if (at + 4 > text.length()) {
                    throw unexpected();
                }
                at += 4;
                yield (char) Integer.parseInt(text.substring(at - 4, at), 16);
            }
            default -> {
                at--;
                throw unexpected();
            }
        };
    }

    private Object number() {
        var start = at;
        while (at < text.length() && "+-.0123456789eE".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        var digits = text.substring(start, at);
        try {
            return digits.matches("-?\\d{1,18}") ? (Object) Long.valueOf(digits) : Double.valueOf(digits);
        } catch (NumberFormatException error) {
            at = start;
            throw unexpected();
        }
    }

    private Object word(String word, Object value) {
        if (!text.startsWith(word, at)) {
            throw unexpected();
        }
        at += word.length();
        return value;
    }

    private void take(char wanted) {
        if (peek() != wanted) {
            throw unexpected();
        }
        at++;
    }

    private char peek() {
        if (at >= text.length()) {
            throw unexpected();
        }
        return text.charAt(at);
    }

    private void skipBlanks() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private IllegalArgumentException unexpected() {
        var found = at < text.length() ? "'" + text.charAt(at) + "'" : "the end";
        return new IllegalArgumentException("Cannot read JSON: " + found + " at " + at);
    }
}
