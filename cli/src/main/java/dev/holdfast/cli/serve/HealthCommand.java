package dev.holdfast.cli.serve;

import dev.holdfast.cli.text.ExitCodes;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
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
            defaultValue = "${env:HOLDFAST_SERVER:-http://127.0.0.1:8080}",
            description = "Which server (HOLDFAST_SERVER); default http://127.0.0.1:8080.")
    private String server = "";

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        HttpRequest request;
        try {
            request = HttpRequest.newBuilder(URI.create(server.replaceFirst("/+$", "") + "/health/ready"))
                    .timeout(PATIENCE)
                    .build();
        } catch (IllegalArgumentException e) {
            spec.commandLine()
                    .getErr()
                    .println("--server must be the URL of a server, such as http://127.0.0.1:8080, was '" + server
                            + "'");
            return ExitCodes.USAGE;
        }
        try {
            HttpResponse<String> answer =
                    HttpClient.newBuilder().connectTimeout(PATIENCE).build().send(request, BodyHandlers.ofString());
            spec.commandLine().getOut().println(answer.body());
            return answer.statusCode() == 200 ? ExitCodes.OK : ExitCodes.FAILURE;
        } catch (IOException e) {
            spec.commandLine().getErr().println("No server answers at " + server + ": " + why(e));
            return ExitCodes.FAILURE;
        }
    }

    /** A refused connection has no words of its own. */
    private static String why(IOException failure) {
        String message = failure.getMessage();
        return message == null || message.isBlank() ? "connection refused" : message;
    }
}
