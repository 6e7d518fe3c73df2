package dev.holdfast.cli.locks;

import dev.holdfast.Holder;
import dev.holdfast.LockClient;
import dev.holdfast.LockView;
import dev.holdfast.cli.connect.Target;
import dev.holdfast.cli.text.Codes;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.Ink;
import dev.holdfast.cli.text.NextSteps;
import dev.holdfast.cli.text.Output;
import dev.holdfast.cli.text.Screen;
import dev.holdfast.cli.text.Terminal;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.RecordKey;
import dev.holdfast.wire.LockJson;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code holdfast explain}: what goes on at a lock, and what to do about it. */
@Command(
        name = "explain",
        description = {
            "Tells in a paragraph who holds a lock and why, since when, when it may be free, who waits in which order,",
            "and the command lines for what can be done."
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = Codes.HEADING,
        exitCodeList = {Codes.OK, Codes.USAGE, Codes.REFUSED, Codes.UNREACHABLE})
public final class ExplainCommand implements Callable<Integer> {
    private static final int WIDEST = 100;

    @Mixin
    private LockArgument lock;

    @Mixin
    private Target target;

    @Mixin
    private Output output;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        LockKey key = lock.key(target);
        LockView view;
        PastHolds past;
        try (LockClient locks = target.openExisting()) {
            view = locks.inspect().get(key);
            past = PastHolds.of(locks.inspect(), key);
        }
        String text = new Explanation(view, past).text();
        Map<String, String> steps = steps(view);
        switch (output.format()) {
            case json, yaml ->
                output.print(json -> {
                    json.writeStartObject();
                    json.writeStringField("text", text);
                    json.writeFieldName("lock");
                    LockJson.lock(json, view);
                    json.writeFieldName("usual");
                    if (!past.finished().isEmpty()) {
                        json.writeStartObject();
                        json.writeNumberField("holds", past.finished().size());
                        json.writeNumberField("median_ms", past.median().toMillis());
                        json.writeNumberField("longest_ms", past.longest().toMillis());
                        json.writeEndObject();
                    } else {
                        json.writeNull();
                    }
                    json.writeArrayFieldStart("commands");
                    for (String step : steps.values()) {
                        json.writeString(step);
                    }
                    json.writeEndArray();
                    json.writeEndObject();
                });
            case name -> output.out().println(view.key().name());
            case table -> show(text, steps);
        }
        output.out().flush();
        return ExitCodes.OK;
    }

    private void show(String text, Map<String, String> steps) {
        Terminal.width()
                .ifPresentOrElse(
                        width -> Screen.wrapped(text, Math.min(width, WIDEST)).forEach(output.out()::println),
                        () -> output.out().println(text));
        output.out().println();
        steps.forEach((what, command) -> {
            output.out().println(output.painted(Ink.QUIET, what + ":"));
            output.out().println("  " + Screen.clean(command));
        });
    }

    /** What can be done, and how. */
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
            steps.put(
                    "See what happens to it", next.before("watch", key) + " --prefix " + NextSteps.quoted(key.name()));
            boolean stale = view.holders().stream().anyMatch(Holder::stale);
            steps.put(
                    stale
                            ? "End it by force, if '" + stale(view) + "' is really gone"
                            : "End it by force, only if its holder is known to be gone",
                    unlock(next, view));
        }
        steps.put("See what happened before", next.command("history", key));
        return steps;
    }

    private static String stale(LockView view) {
        return Screen.clean(view.holders().stream()
                .filter(Holder::stale)
                .findFirst()
                .map(Holder::owner)
                .orElse(""));
    }

    private static String unlock(NextSteps next, LockView view) {
        if (view.holders().size() == 1) {
            return next.command("unlock", view.key());
        }
        Holder worst = view.holders().stream()
                .filter(Holder::stale)
                .findFirst()
                .orElse(view.holders().get(0));
        return next.command("unlock", view.key(), "--token", worst.token().toString());
    }
}
