package standin;

/** The events did not arrive in time. The message lists what was captured instead. */
public class WaitError extends AssertionError {
    private static final long serialVersionUID = 1;

    WaitError(String message) {
        super(message);
    }
}
