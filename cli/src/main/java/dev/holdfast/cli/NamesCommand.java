package dev.holdfast.cli;

import dev.holdfast.ClientConfig;
import dev.holdfast.LockClient;
import dev.holdfast.LockView;
import dev.holdfast.cli.connect.Contexts;
import dev.holdfast.cli.connect.StoreFile;
import dev.holdfast.cli.connect.Target;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.KeyText;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.RecordKey;
import dev.holdfast.spi.ScanRequest;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code holdfast __complete}: names of locks for the shell. Somebody waits at a prompt: it is quick or silent. */
@Command(name = "__complete", description = "Prints names of locks, for the completion of a shell.", hidden = true)
final class NamesCommand implements Callable<Integer> {
    private static final int MOST = 200;

    @Spec
    private CommandSpec spec;

    @Mixin
    private Target target = new Target();

    @Parameters(arity = "0..1", paramLabel = "PREFIX", description = "How the names start.")
    private String prefix = "";

    @Option(names = "--within", paramLabel = "DUR", defaultValue = "1s", description = "How long it may take.")
    private Duration within = Duration.ZERO;

    @Option(names = "--contexts", description = "Names of contexts instead.")
    private boolean contexts;

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        try {
            CompletableFuture.supplyAsync(this::names)
                    .get(within.toMillis(), TimeUnit.MILLISECONDS)
                    .forEach(out::println);
        } catch (ExecutionException | TimeoutException e) {
            return ExitCodes.FAILURE; // no names; the prompt is no place for the reason
        }
        out.flush();
        return ExitCodes.OK;
    }

    private List<String> names() {
        if (contexts) {
            return Contexts.readIfAny(System.getenv()).all().keySet().stream()
                    .filter(name -> name.startsWith(prefix))
                    .toList();
        }
        if (StoreFile.isMissing(target.url())) {
            return List.of(); // a store would be made by looking
        }
        String here = target.namespace().orElse(LockKey.DEFAULT_NAMESPACE);
        try (LockClient locks = target.open(ClientConfig.DEFAULT.withNamespace(here))) {
            KeyText.KeyPrefix start = target.start(prefix);
            List<String> found = shown(
                    locks, ScanRequest.all().in(start.namespace().orElse(here)).startingWith(start.rest()), here);
            return found.isEmpty() && prefix.indexOf(':') < 0 ? inNamespacesThatStartSo(locks) : found;
        }
    }

    private List<String> shown(LockClient locks, ScanRequest request, String here) {
        return locks.inspect().list(request.limit(MOST)).locks().stream()
                .map(LockView::key)
                .map(key -> target.isLiteral() || (prefix.indexOf(':') < 0 && isPlain(key, here))
                        ? key.name()
                        : KeyText.of(key))
                .toList();
    }

    /** Whether the bare name means this lock. */
    private static boolean isPlain(RecordKey key, String here) {
        return KeyText.of(key).equals(here + ":" + key.name()) && key.name().indexOf(':') < 0;
    }

    private List<String> inNamespacesThatStartSo(LockClient locks) {
        return locks.inspect().list(ScanRequest.all()).locks().stream()
                .filter(lock -> lock.key().namespace().startsWith(prefix))
                .map(lock -> KeyText.of(lock.key()))
                .limit(MOST)
                .toList();
    }
}
