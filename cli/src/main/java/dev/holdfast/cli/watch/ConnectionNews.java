package dev.holdfast.cli.watch;

import dev.holdfast.LockClient;
import dev.holdfast.cli.text.Ages;
import dev.holdfast.spi.AccessRefusedException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** Says when events stop coming, and when they come again: silence would look as if nothing happened. For one thread. */
public final class ConnectionNews {
    /** How often a look is worth it: it costs nothing. */
    static final Duration LOOK = Duration.ofMillis(250);

    private final LockClient.Subscription events;
    private final String place;
    private final Consumer<String> say;
    private Optional<Long> lostAt = Optional.empty();

    public ConnectionNews(LockClient.Subscription events, String place, Consumer<String> say) {
        this.events = events;
        this.place = place;
        this.say = say;
    }

    /**
     * Looks, and says what has changed.
     *
     * @throws AccessRefusedException if nothing will come any more, such as after the token was revoked
     */
    public void look() {
        if (events.isOver()) {
            throw new AccessRefusedException(place + " no longer sends events to this client", null);
        }
        boolean listening = events.isListening();
        if (!listening && lostAt.isEmpty()) {
            lostAt = Optional.of(System.nanoTime());
            say.accept("holdfast: The connection to " + place + " is lost; trying again. What happens meanwhile will be"
                    + " shown afterwards");
        } else if (listening && lostAt.isPresent()) {
            say.accept("holdfast: Connected again after " + Ages.of(lostFor().orElse(Duration.ZERO)));
            lostAt = Optional.empty();
        }
    }

    /** How long nothing has come, if that is so. */
    Optional<Duration> lostFor() {
        return lostAt.map(at -> Duration.ofNanos(System.nanoTime() - at));
    }
}
