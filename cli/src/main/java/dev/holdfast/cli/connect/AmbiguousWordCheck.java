package dev.holdfast.cli.connect;

import dev.holdfast.LockClient;
import dev.holdfast.LockView;
import dev.holdfast.cli.text.KeyText;
import dev.holdfast.cli.text.Screen;
import dev.holdfast.model.LockKey;
import dev.holdfast.spi.StoreException;
import java.util.Optional;

/**
 * A word such as {@code jobs/nightly} means the part {@code nightly} of the lock {@code jobs}. A program may hold a lock that is named
 * so, sign by sign: whoever takes the part would work beside it without knowing. The same the other way round, with {@code -N}.
 */
public final class AmbiguousWordCheck {
    private AmbiguousWordCheck() {}

    /** Refuses the word while the other lock it could mean is held or waited for. */
    public static void check(LockClient locks, Target target, String word, LockKey meant) {
        Optional<LockKey> other = target.otherReading(word, meant);
        if (other.isEmpty()) {
            return;
        }
        Optional<LockView> view = seen(locks, other.get());
        if (view.isPresent() && !(view.get().isFree() && view.get().waiters().isEmpty())) {
            String who = view.get().holders().stream()
                    .findFirst()
                    .map(it -> "held by '" + Screen.clean(it.owner()) + "'")
                    .orElse("waited for");
            throw new IllegalArgumentException(
                    "'" + word + "' means " + KeyText.of(meant) + " here, and " + KeyText.of(other.get())
                            + ", which it could mean as well, is " + who + ". Write " + KeyText.of(other.get())
                            + " if you mean that one, else " + literally(target, meant));
        }
    }

    /** The spelling that is not asked about. */
    private static String literally(Target target, LockKey meant) {
        return target.isLiteral()
                ? KeyText.of(meant) + ", without -N"
                : "-N " + meant.namespace() + " " + meant.name()
                        + (meant.path().isWhole() ? "" : " --path " + meant.path());
    }

    /** A look that fails decides nothing: what follows asks for the lock itself and says what is wrong. */
    private static Optional<LockView> seen(LockClient locks, LockKey key) {
        try {
            return Optional.of(locks.inspect().get(key));
        } catch (StoreException e) {
            return Optional.empty();
        }
    }
}
