package dev.holdfast.cli.locks;

import dev.holdfast.Holder;
import dev.holdfast.LockClient;
import dev.holdfast.LockView;
import dev.holdfast.cli.connect.TargetCommand;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.ExitCodes.Codes;
import dev.holdfast.cli.text.KeyText;
import dev.holdfast.cli.text.Screen;
import dev.holdfast.cli.watch.ConnectionNews;
import dev.holdfast.model.LockKey;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.wire.LockJson;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "wait",
        header = "Wait until a lock is free, or held, without taking it.",
        description = {
            "To do something while nobody else has the lock, use 'exec': a lock that is free may be taken a moment"
                    + " later."
        },
        footer = {"holdfast wait deploy-web", "holdfast wait deploy-web --for held --timeout 5m"},
        exitCodeList = {Codes.USUAL, "0:It is free, or held, whichever you waited for.", "75:The time was up first."})
public final class WaitCommand extends TargetCommand {
    /** Events tell when to look; this is for what happens in silence, such as an end that comes by itself. */
    private static final Duration LOOK = Duration.ofSeconds(5);

    private static final Duration SOON = Duration.ofMillis(50);

    /** What is waited for. The constants are spelled as people type them. */
    enum Goal {
        free,
        held;

        boolean isMetBy(List<Holder> holders) {
            return holders.isEmpty() == (this == free);
        }
    }

    @Mixin
    private LockArgument lock;

    @Option(
            names = "--for",
            paramLabel = "STATE",
            defaultValue = "free",
            description = "${COMPLETION-CANDIDATES} (default ${DEFAULT-VALUE}).")
    private Goal goal = Goal.free;

    @Option(
            names = {"-w", "--timeout"},
            paramLabel = "DUR",
            description = "Give up after this long. Default: wait as long as it takes.")
    private Optional<Duration> timeout = Optional.empty();

    @Override
    protected int run() throws InterruptedException {
        LockKey key = lock.key(target);
        long start = System.nanoTime();
        Semaphore news = new Semaphore(0);
        try (LockClient locks = target.open();
                LockClient.Subscription events = locks.watch(event -> {
                    if (event.event().key().equals(key.record())) {
                        news.release();
                    }
                })) {
            ConnectionNews connection = new ConnectionNews(events, target.shown(), output::say);
            LockView view = locks.inspect().get(key);
            while (true) {
                LockView seen = view;
                List<Holder> holders = view.holders().stream()
                        .filter(holder -> holder.paths().stream().anyMatch(key.path()::overlaps))
                        .toList();
                Duration left = left(start);
                if (goal.isMetBy(holders)) {
                    output.show(json -> LockJson.lock(json, seen), Stream.of(KeyText.of(key)), () -> {});
                    return ExitCodes.OK;
                }
                if (left.isZero()) {
                    return tooLate(key, holders);
                }
                news.tryAcquire(pause(view, holders, left).toNanos(), TimeUnit.NANOSECONDS);
                news.drainPermits();
                connection.look();
                view = lookedAgain(locks, key, view);
            }
        }
    }

    /** Whoever waits for a lock also waits for a server that is being restarted. */
    private static LockView lookedAgain(LockClient locks, LockKey key, LockView before) {
        try {
            return locks.inspect().get(key);
        } catch (StoreUnavailableException e) {
            return before;
        }
    }

    private Duration left(long start) {
        Duration left =
                timeout.map(all -> all.minusNanos(System.nanoTime() - start)).orElse(Duration.ofDays(1));
        return left.isNegative() ? Duration.ZERO : left;
    }

    /** Until the time is up, or the first hold may have ended by itself. */
    private static Duration pause(LockView view, List<Holder> holders, Duration left) {
        Duration pause = left.compareTo(LOOK) < 0 ? left : LOOK;
        for (Holder holder : holders) {
            Duration end = holder.expiresAt()
                    .map(it -> Duration.between(view.at(), it).plus(SOON))
                    .orElse(LOOK);
            pause = end.compareTo(pause) < 0 ? end : pause;
        }
        return pause.compareTo(SOON) < 0 ? SOON : pause;
    }

    private int tooLate(LockKey key, List<Holder> holders) {
        String who = holders.isEmpty()
                ? "nobody holds it"
                : "'" + Screen.clean(holders.get(0).owner()) + "' still holds it";
        output.say("holdfast: " + Screen.clean(KeyText.of(key)) + ": the time is up, and " + who);
        return ExitCodes.BUSY;
    }
}
