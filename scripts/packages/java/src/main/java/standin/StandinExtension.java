package standin;

import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives each test a client of its own namespace: {@code @ExtendWith(StandinExtension.class)} on the class, and a parameter
 * {@code Standin standin} of the test, or of its {@code @BeforeEach}. All tests of the run share one service: that at
 * {@code STANDIN_URL}, or a program that is started for the first of them. A parameter of {@code @BeforeAll} or of the
 * constructor is a client of the whole service.
 */
public final class StandinExtension implements ParameterResolver, AfterTestExecutionCallback {
    private static final Namespace STORE = Namespace.create(StandinExtension.class);
    private static final int SHOWN = 20;

    /** The service of all tests of this process. */
    private static Standin shared;

    /** Called by JUnit. */
    public StandinExtension() {}

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Standin.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getTestMethod().isPresent() ? ofTest(context) : service();
    }

    /** Reports what the namespace of a failed test holds. */
    @Override
    public void afterTestExecution(ExtensionContext context) {
        var standin = context.getStore(STORE).get("standin", Standin.class);
        if (standin == null || context.getExecutionException().isEmpty()) {
            return;
        }
        try {
            var events = standin.list().stream().limit(SHOWN)
                .map(event -> event.type() + " " + event.summary())
                .collect(Collectors.joining("\n"));
            context.publishReportEntry("standin, namespace " + standin.name(),
                events.isEmpty() ? "nothing was captured" : events);
        } catch (StandinException error) {
            // The failure itself says more.
        }
    }

    private static Standin ofTest(ExtensionContext context) {
        return context.getStore(STORE).getOrComputeIfAbsent("standin",
            key -> service().namespace(Standin.uniqueName("j")), Standin.class);
    }

    /**
     * Returns a client of the whole service, for what is set before a test begins, such as the properties of an
     * application. A program that is started for it runs until the process ends.
     */
    public static synchronized Standin service() {
        if (shared == null) {
            var url = System.getenv("STANDIN_URL");
            shared = url == null || url.isEmpty() ? StandinProgram.start() : Standin.connect();
        }
        return shared;
    }
}
