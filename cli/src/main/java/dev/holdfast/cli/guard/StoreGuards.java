package dev.holdfast.cli.guard;

import dev.holdfast.cli.serve.LocalGuard;
import dev.holdfast.cli.text.CommandException;
import dev.holdfast.cli.text.JsonTree;
import dev.holdfast.cli.text.Output;
import dev.holdfast.guard.Guard;
import dev.holdfast.guard.GuardAnswer;
import dev.holdfast.guard.GuardBusyException;
import dev.holdfast.guard.InvalidAppException;
import dev.holdfast.guard.Registration;
import dev.holdfast.guard.ResourceView;
import dev.holdfast.guard.UnknownAppException;
import dev.holdfast.guard.wire.AnswerJson;
import dev.holdfast.guard.wire.AppJson;
import dev.holdfast.guard.wire.ResourceJson;
import dev.holdfast.wire.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/** The guard in a store, without a server: this process judges and acts itself. */
final class StoreGuards implements Guards {
    private final LocalGuard local;
    private final Guard guard;

    StoreGuards(LocalGuard local) {
        this.local = local;
        this.guard = local.guard();
    }

    @Override
    public List<JsonTree> apps() throws InterruptedException {
        return told(() -> each(List.copyOf(guard.apps()), AppJson::write));
    }

    @Override
    public List<String> register(List<Registration> apps) throws InterruptedException {
        return told(() -> guard.registerAll(apps));
    }

    @Override
    public void forget(String app) throws InterruptedException {
        told(() -> {
            guard.app(app);
            return guard.unregister(app);
        });
    }

    @Override
    public List<JsonTree> resources(Optional<String> dbIdentifier) throws InterruptedException {
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

    @Override
    public JsonTree stop(String app, boolean dryRun) throws InterruptedException {
        return told(() -> answer(dryRun ? guard.checkStop(app) : guard.stop(app), dryRun));
    }

    @Override
    public JsonTree start(String app, boolean dryRun) throws InterruptedException {
        return told(() -> answer(dryRun ? guard.checkStart(app) : guard.start(app), dryRun));
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

    // ---- as a server says it

    private static <T> List<JsonTree> each(List<T> items, Function<T, Json.Obj> part) {
        return items.stream().map(part).map(StoreGuards::tree).toList();
    }

    private static JsonTree answer(GuardAnswer answer, boolean dryRun) {
        return tree(AnswerJson.write(answer, dryRun));
    }

    private static JsonTree tree(Json json) {
        try {
            return JsonTree.of(new String(json.bytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e); // it was written a moment ago
        }
    }

    @Override
    public void close() {
        local.close();
    }
}
