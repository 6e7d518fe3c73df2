package dev.holdfast.cli.locks;

import dev.holdfast.Holder;
import dev.holdfast.LockClient;
import dev.holdfast.LockView;
import dev.holdfast.cli.connect.OtherNamespaceHint;
import dev.holdfast.cli.connect.TargetCommand;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.KeyText;
import dev.holdfast.cli.text.NextSteps;
import dev.holdfast.cli.text.Screen;
import dev.holdfast.cli.text.Terminal;
import dev.holdfast.cli.text.TextColour;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.RecordKey;
import dev.holdfast.wire.LockJson;
import dev.holdfast.wire.json.Json;
import dev.holdfast.wire.json.JsonText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "explain",
        header = "Explain why a lock is held, and what can be done.",
        description =
                "Says in a paragraph who holds the lock, why and since when, when it may be free, and who is waiting,"
                        + " in order. Then lists commands for what you can do.",
        footer = "holdfast explain deploy-web")
public final class ExplainCommand extends TargetCommand {
    private static final int WIDEST = 100;

    @Mixin
    private LockArgument lock;

    @Override
    protected int run() {
        LockKey key = lock.key(target);
        LockView view;
        PastHolds past;
        try (LockClient locks = target.openExisting()) {
            view = locks.inspect().get(key);
            past = PastHolds.of(locks.inspect(), key);
            if (view.isFree()) {
                OtherNamespaceHint.tell(output, locks.inspect(), key, lock.word());
            }
        }
        String text = new Explanation(view, past).text();
        Map<String, String> steps = steps(view);
        JsonText.Part answer = JsonText.wrapped(json -> {
            json.writeStringField("text", text);
            json.writeFieldName("lock");
            LockJson.lock(json, view);
            json.writeFieldName("usual");
            past.usual().writeTo(json);
            json.writeFieldName("commands");
            Json.array(steps.values(), Json::of).writeTo(json);
        });
        output.show(answer, Stream.of(KeyText.of(view.key())), () -> show(text, steps));
        return ExitCodes.OK;
    }

    private void show(String text, Map<String, String> steps) {
        Terminal.width(Terminal.STDOUT)
                .ifPresentOrElse(
                        width -> Screen.wrapped(text, Math.min(width, WIDEST)).forEach(output.out()::println),
                        () -> output.println(text));
        output.out().println();
        steps.forEach((what, command) -> {
            output.println(output.painted(TextColour.QUIET, what + ":"));
            output.println("  " + Screen.clean(command));
        });
    }

    private Map<String, String> steps(LockView view) {
        NextSteps next = new NextSteps(spec);
        RecordKey key = view.key();
        Map<String, String> steps = new LinkedHashMap<>();
        if (view.isFree()) {
            steps.put("Run a command under it", next.command("exec", key, "--", "COMMAND"));
        } else {
            steps.put(
                    "Wait for it, then run a command under it",
                    next.command("exec", key, "--wait", "10m", "--", "COMMAND"));
            steps.put("See what happens to it", next.command("watch", key));
            Optional<Holder> stale =
                    view.holders().stream().filter(Holder::stale).findFirst();
            steps.put(
                    stale.map(it -> "End it by force, if '" + Screen.clean(it.owner()) + "' is really gone")
                            .orElse("End it by force, only if its holder is known to be gone"),
                    unlock(next, view, stale));
        }
        steps.put("See what happened before", next.command("history", key));
        return steps;
    }

    private static String unlock(NextSteps next, LockView view, Optional<Holder> stale) {
        Holder worst = stale.orElse(view.holders().get(0));
        List<String> more = new ArrayList<>();
        if (view.holders().size() > 1) {
            more.addAll(List.of("--token", worst.token().toString()));
        }
        if (!worst.stale()) {
            more.addAll(List.of("--force", "--reason", "'WHY'"));
        }
        return next.command("unlock", view.key(), more.toArray(String[]::new));
    }
}
