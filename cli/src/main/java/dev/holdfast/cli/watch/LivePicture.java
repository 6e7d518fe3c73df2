package dev.holdfast.cli.watch;

import dev.holdfast.LockClient;
import dev.holdfast.cli.text.Ages;
import dev.holdfast.cli.text.Output;
import dev.holdfast.cli.text.TextColour;
import dev.holdfast.spi.AccessRefusedException;
import dev.holdfast.spi.EventLog.StoredEvent;
import dev.holdfast.spi.StoreException;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Draws a picture of locks again whenever something happens, and now and then without: leases run out in silence. While the server
 * or store is away, the last picture stays, and it says so.
 */
public final class LivePicture {
    /** However much happens, nobody can read faster. */
    static final Duration SHORTEST = Duration.ofMillis(250);

    private final LockClient locks;
    private final String place;
    private final LiveOptions pace;
    private final Output output;
    private final Semaphore news = new Semaphore(0);
    private Optional<Long> failingSince = Optional.empty();
    private Frame last = new Frame("", "");

    public LivePicture(LockClient locks, String place, LiveOptions pace, Output output) {
        this.locks = locks;
        this.place = place;
        this.pace = pace;
        this.output = output;
    }

    /** One picture, and what is said above it; nothing if empty. */
    public record Frame(String lines, String note) {}

    /** Draws until as many pictures are drawn as were wanted, or nobody reads them. */
    public void run(Supplier<Frame> look) throws InterruptedException {
        run(event -> {}, look);
    }

    /** The same; told of what happens, too. */
    public void run(Consumer<StoredEvent> told, Supplier<Frame> look) throws InterruptedException {
        Duration every = pace.every();
        long left = pace.count();
        try (LockClient.Subscription events = locks.watch(event -> {
                    told.accept(event);
                    news.release();
                });
                LiveScreen screen = new LiveScreen(output.out())) {
            while (true) {
                draw(screen, events, look);
                left--;
                if (left <= 0 || output.out().checkError()) {
                    return;
                }
                TimeUnit.MILLISECONDS.sleep(SHORTEST.toMillis());
                news.tryAcquire(every.minus(SHORTEST).toMillis(), TimeUnit.MILLISECONDS);
                news.drainPermits();
            }
        }
    }

    private void draw(LiveScreen screen, LockClient.Subscription events, Supplier<Frame> look) {
        try {
            last = look.get();
            failingSince = events.isListening() ? Optional.empty() : failingSince.or(LivePicture::now);
        } catch (AccessRefusedException e) {
            throw e; // trying again does not help
        } catch (StoreException e) {
            failingSince = failingSince.or(LivePicture::now);
        }
        List<String> head = new ArrayList<>();
        head.add(title());
        if (!last.note().isEmpty()) {
            head.add(last.note());
        }
        head.add("");
        screen.draw(head, last.lines().lines().toList());
    }

    private static Optional<Long> now() {
        return Optional.of(System.nanoTime());
    }

    private String title() {
        String time = LocalTime.now(ZoneId.systemDefault())
                .truncatedTo(ChronoUnit.SECONDS)
                .toString();
        String state = failingSince
                .map(since -> output.painted(
                        TextColour.BAD,
                        "connection lost " + Ages.of(Duration.ofNanos(System.nanoTime() - since))
                                + " ago, trying again"))
                .orElse("");
        return (output.painted(TextColour.QUIET, place + "  " + time) + "  " + state).stripTrailing();
    }
}
