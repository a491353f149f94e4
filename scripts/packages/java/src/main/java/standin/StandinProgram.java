package standin;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A client of a program that was started for it. Closing it stops the program, which also stops when this process ends,
 * however that happens.
 */
public final class StandinProgram extends Standin implements AutoCloseable {
    private static final Duration START = Duration.ofSeconds(30);
    /** From the request to stop until the program is killed. */
    private static final Duration STOP = Duration.ofSeconds(8);
    /** Characters that are kept of what the program says. */
    private static final int KEPT = 65_536;

    private final Process process;
    private final Map<String, String> addresses;

    private StandinProgram(Process process, Map<String, String> addresses) {
        super(new Api(addresses.get("api").replaceAll("/api/v1$", ""), null), null);
        this.process = process;
        this.addresses = Map.copyOf(addresses);
    }

    /** Starts the program at {@code STANDIN_PROGRAM}, or {@code standin} on the PATH, on free ports. */
    public static StandinProgram start(String... flags) {
        return start(null, List.of(flags), START);
    }

    /**
     * Starts a program, and returns when every listener accepts connections. {@code flags} are those of
     * {@code standin serve}. Namespaces are read from the header, from recipients such as {@code ada+t1@example.org} and
     * from credentials such as {@code re_any--t1}, unless the flags or the environment say otherwise. Throws
     * {@link StandinException}, with what the program said, if it does not start.
     */
    public static StandinProgram start(String program, List<String> flags, Duration timeout) {
        var path = program == null ? find() : program;
        var command = new ArrayList<>(List.of(path, "serve", "--free-ports", "--stop-on-eof", "--log-format=json"));
        command.addAll(flags);
        var builder = new ProcessBuilder(command);
        builder.environment().putIfAbsent("SERVICE_LOG_LEVEL", "warn");
        builder.environment().putIfAbsent("SERVICE_NAMESPACE_RECIPIENTS", RECIPIENT_RULE);
        builder.environment().putIfAbsent("SERVICE_NAMESPACE_CREDENTIALS", CREDENTIAL_RULE);
        Process process;
        try {
            process = builder.start();
        } catch (IOException error) {
            throw new StandinException("Cannot start " + path + ": " + error.getMessage(), error);
        }
        var complaints = new StringBuffer();
        var reader = daemon(() -> keep(process.getErrorStream(), complaints));
        try {
            var line = firstLine(process.getInputStream()).get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            if (line == null) {
                reader.join(STOP.toMillis());
                throw new StandinException(0, "Cannot start " + path + ": it ended with status "
                    + process.waitFor() + "\n" + complaints);
            }
            return new StandinProgram(process, addresses(line, path));
        } catch (TimeoutException error) {
            stop(process);
            throw new StandinException(0,
                "Cannot start " + path + ": it is not ready after " + timeout.toMillis() + " ms\n" + complaints);
        } catch (ExecutionException error) {
            stop(process);
            throw new StandinException("Cannot start " + path + ": " + error.getCause(), error);
        } catch (InterruptedException error) {
            stop(process);
            Thread.currentThread().interrupt();
            throw new StandinException("Interrupted while " + path + " was starting", error);
        } catch (RuntimeException error) {
            stop(process);
            throw error;
        }
    }

    /** Returns the addresses by listener: {@code ui}, {@code api}, {@code ingress}, {@code mail/smtp} and so on. */
    public Map<String, String> addresses() {
        return addresses;
    }

    /** Returns the address that the HTTP providers share. */
    public String ingress() {
        return addresses.get("ingress");
    }

    /** Stops the program, and returns when it has ended. */
    @Override
    public void close() {
        stop(process);
    }

    private static Map<String, String> addresses(String line, String path) {
        var addresses = new LinkedHashMap<String, String>();
        try {
            Json.object(Json.parse(line)).forEach((name, value) -> addresses.put(name, String.valueOf(value)));
        } catch (IllegalArgumentException error) {
            addresses.clear();
        }
        if (!addresses.containsKey("api")) {
            throw new StandinException(0, "Cannot start " + path + ": it said \""
                + line.substring(0, Math.min(200, line.length())) + "\" instead of where it listens");
        }
        addresses.keySet().removeAll(List.of("time", "level", "message"));
        return addresses;
    }

    private static String find() {
        var named = System.getenv("STANDIN_PROGRAM");
        if (named != null && !named.isEmpty()) {
            return named;
        }
        var name = System.getProperty("os.name").startsWith("Windows") ? "standin.exe" : "standin";
        var folders = new ArrayList<>(List.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)));
        // Where the install script puts it.
        folders.add(Path.of(System.getProperty("user.home"), ".local", "bin").toString());
        return folders.stream()
            .filter(folder -> !folder.isEmpty())
            .map(folder -> Path.of(folder, name))
            .filter(Files::isExecutable)
            .map(Path::toString)
            .findFirst()
            .orElseThrow(() -> new StandinException(0, "Cannot find the standin program: install it, put it on the PATH,"
                + " or name it in STANDIN_PROGRAM"));
    }

    /** Resolves with the first line, null at the end, and reads the others, which are of no interest. */
    private static CompletableFuture<String> firstLine(InputStream output) {
        var first = new CompletableFuture<String>();
        daemon(() -> {
            try (var reader = new BufferedReader(new InputStreamReader(output, StandardCharsets.UTF_8))) {
                first.complete(reader.readLine());
                reader.transferTo(Writer.nullWriter());
            } catch (IOException error) {
                first.completeExceptionally(error);
            }
        });
        return first;
    }

    private static void keep(InputStream stream, StringBuffer kept) {
        try (var reader = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            for (var line = reader.readLine(); line != null; line = reader.readLine()) {
                kept.append(line).append('\n');
                kept.delete(0, Math.max(0, kept.length() - KEPT));
            }
        } catch (IOException error) {
            // The program has ended.
        }
    }

    private static Thread daemon(Runnable run) {
        var thread = new Thread(run, "standin");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static void stop(Process process) {
        try {
            process.getOutputStream().close();
        } catch (IOException error) {
            // It has already ended.
        }
        try {
            if (!process.waitFor(STOP.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException error) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
