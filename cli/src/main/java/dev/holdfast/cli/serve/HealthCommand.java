package dev.holdfast.cli.serve;

import dev.holdfast.cli.connect.Connection;
import dev.holdfast.cli.connect.ServerCalls;
import dev.holdfast.cli.connect.Target;
import dev.holdfast.cli.connect.TrustOptions;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.PlainCommand;
import dev.holdfast.client.ServerConfig;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code holdfast health}: is a server ready, for scripts and for containers that have no curl. */
@Command(
        name = "health",
        header = "Ask a server whether it is ready.",
        description = "Prints its answer as JSON: the state of each part, and the reason if it is not ready.",
        footer = {"holdfast health", "holdfast health --server https://locks.example.com --ca-file /etc/holdfast/ca.crt"
        },
        exitCodeList = {"0:It is ready.", "1:It is not ready, or does not answer.", "2:The command line is wrong."})
public final class HealthCommand extends PlainCommand {
    /** Docker gives a check 30 s by default; a server that needs longer than this is not well. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    @Option(
            names = "--server",
            paramLabel = "URL",
            description = "The server to ask (HOLDFAST_SERVER; default " + Target.DEFAULT_SERVER + ").")
    private Optional<String> server = Optional.empty();

    @Mixin
    private final TrustOptions trust = new TrustOptions();

    @Option(
            names = "--context",
            paramLabel = "NAME",
            description = "The server of this context (HOLDFAST_CONTEXT); see 'holdfast help context'.")
    private Optional<String> context = Optional.empty();

    /** A store in the environment is that of the server beside it, and no place to ask. */
    private Connection connection() {
        Map<String, String> flags = new LinkedHashMap<>();
        server.ifPresent(it -> flags.put("server", it));
        trust.addTo(flags);
        context.or(() -> Target.contextOf(spec)).ifPresent(it -> flags.put("context", it));
        return Connection.of(flags, System.getenv());
    }

    @Override
    public Integer call() throws InterruptedException {
        Connection connection = connection();
        String url = connection.value("server").orElse(Target.DEFAULT_SERVER);
        ServerConfig one = connection.secured(ServerConfig.of(url));
        try {
            HttpResponse<String> answer =
                    new ServerCalls(one, PATIENCE).ask(one.servers().get(0), "GET", "/health/ready", Optional.empty());
            out().println(answer.body());
            return answer.statusCode() == 200 ? ExitCodes.OK : ExitCodes.FAILURE;
        } catch (IOException e) {
            err().println("No server answers at " + url + ": " + ServerCalls.why(e));
            return ExitCodes.FAILURE;
        }
    }
}
