package dev.holdfast.cli.guard;

import dev.holdfast.cli.text.CommandException;
import dev.holdfast.guard.Guard;
import dev.holdfast.guard.GuardBusyException;
import dev.holdfast.guard.InvalidAppException;
import dev.holdfast.guard.Registration;
import dev.holdfast.guard.ResourceView;
import dev.holdfast.guard.UnknownAppException;
import dev.holdfast.guard.wire.AnswerJson;
import dev.holdfast.guard.wire.AppJson;
import dev.holdfast.guard.wire.ResourceJson;
import dev.holdfast.wire.json.Json;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** What the guard of a command answers, behind a server or in this process, as a server says it. */
final class GuardAnswers implements AutoCloseable {
    private final Guard guard;
    private final Runnable close;

    GuardAnswers(Guard guard, Runnable close) {
        this.guard = guard;
        this.close = close;
    }

    /** All apps. */
    List<Json> apps() throws InterruptedException {
        return told(() -> each(List.copyOf(guard.apps()), AppJson::write));
    }

    /** Registers all of them, or none; what is registered, but likely not meant so. */
    List<String> register(List<Registration> apps) throws InterruptedException {
        return told(() -> guard.registerAll(apps));
    }

    /** Forgets an app. */
    void forget(String app) throws InterruptedException {
        told(() -> {
            guard.app(app);
            return guard.unregister(app);
        });
    }

    /** What is shared: all, or one. */
    List<Json> resources(Optional<String> dbIdentifier) throws InterruptedException {
        return told(() -> {
            if (dbIdentifier.isEmpty()) {
                return each(guard.resources(), ResourceJson::write);
            }
            ResourceView one = guard.resource(dbIdentifier.get())
                    .orElseThrow(() -> new CommandException("No registered app uses '" + dbIdentifier.get()
                            + "'. See what is used: holdfast guard status"));
            return each(List.of(one), ResourceJson::write);
        });
    }

    /** Stops what an app uses, or only tells. */
    Json stop(String app, boolean dryRun) throws InterruptedException {
        return told(() -> AnswerJson.write(dryRun ? guard.checkStop(app) : guard.stop(app), dryRun));
    }

    /** Starts what an app uses, or only tells. */
    Json start(String app, boolean dryRun) throws InterruptedException {
        return told(() -> AnswerJson.write(dryRun ? guard.checkStart(app) : guard.start(app), dryRun));
    }

    private interface Work<T> {
        T run() throws InterruptedException;
    }

    private static <T> T told(Work<T> work) throws InterruptedException {
        try {
            return work.run();
        } catch (UnknownAppException | InvalidAppException | GuardBusyException e) {
            throw new CommandException(String.valueOf(e.getMessage()));
        }
    }

    private static <T> List<Json> each(List<T> items, Function<T, Json.Obj> part) {
        return items.stream().<Json>map(part).toList();
    }

    @Override
    public void close() {
        close.run();
    }
}
