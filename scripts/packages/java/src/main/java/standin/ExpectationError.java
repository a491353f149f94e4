package standin;

import java.util.Map;

/** An expectation was not met. The message describes the difference from the closest event. */
public class ExpectationError extends AssertionError {
    private static final long serialVersionUID = 1;

    private final transient Map<String, Object> verdict;

    ExpectationError(Map<String, Object> verdict) {
        super(String.valueOf(verdict.get("error")));
        this.verdict = verdict;
    }

    /** Returns the verdict of the service: {@code met}, {@code count}, {@code events}, {@code closest}. */
    public Map<String, Object> verdict() {
        return verdict;
    }
}
