package dev.holdfast.cli.serve;

import dev.holdfast.cli.connect.ServerCalls;
import dev.holdfast.cli.connect.Target;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.client.ServerConfig;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code holdfast health}: is a server ready, for scripts and for containers that have no curl. */
@Command(
        name = "health",
        description = "Asks a server whether it is ready: exit code 0 if it is, 1 if it is not or does not answer.",
        mixinStandardHelpOptions = true)
public final class HealthCommand implements Callable<Integer> {
    /** Docker gives a check 30 s by default; a server that needs longer than this is not well. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    @Option(
            names = "--server",
            paramLabel = "URL",
            defaultValue = "${env:HOLDFAST_SERVER:-" + Target.DEFAULT_SERVER + "}",
            description = "Which server (HOLDFAST_SERVER); default " + Target.DEFAULT_SERVER + ".")
    private String server = "";

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        ServerConfig one = ServerConfig.of(server);
        try {
            HttpResponse<String> answer =
                    new ServerCalls(one, PATIENCE).ask(one.servers().get(0), "GET", "/health/ready", Optional.empty());
            spec.commandLine().getOut().println(answer.body());
            return answer.statusCode() == 200 ? ExitCodes.OK : ExitCodes.FAILURE;
        } catch (IOException e) {
            spec.commandLine().getErr().println("No server answers at " + server + ": " + ServerCalls.why(e));
            return ExitCodes.FAILURE;
        }
    }
}
