package standin;

/** A fault that was added. Closing it removes it. */
public final class Fault implements AutoCloseable {
    private final Api api;
    private final String id;

    Fault(Api api, String id) {
        this.api = api;
        this.id = id;
    }

    /** Returns its id. */
    public String id() {
        return id;
    }

    /** Returns the matches that became a fault so far. */
    public int hits() {
        return ((Number) Json.object(api.call("GET", path(), null)).get("hits")).intValue();
    }

    /** Removes it. */
    @Override
    public void close() {
        api.call("DELETE", path(), null);
    }

    private String path() {
        return "/faults/" + Api.encode(id);
    }
}
