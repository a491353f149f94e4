package standin;

/** The service cannot be reached, the program cannot be started, or the service refused a request. */
public class StandinException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** HTTP status, or 0 where there was no answer. */
    private final int status;

    StandinException(String message, Throwable cause) {
        super(message, cause);
        status = 0;
    }

    StandinException(int status, String message) {
        super(message);
        this.status = status;
    }

    /** Returns the HTTP status of a refusal, whose message is the service's, or 0 where there was no answer. */
    public int status() {
        return status;
    }
}
