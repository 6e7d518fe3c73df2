package dev.holdfast.server.survey;

import dev.holdfast.Holder;
import dev.holdfast.LockView;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.Mode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which locks are wanted: those of which everything is true that is said.
 *
 * @param owner held or waited for by this one
 * @param words each of them in the name of the lock, in who holds or waits, in a reason or in a path; in small letters
 */
public record LockFilter(Optional<String> owner, Optional<State> state, Optional<Mode.Kind> mode, List<String> words)
        implements Predicate<LockView> {
    /** A hold of which less than this part of its lease is left ends soon: who renews does so much earlier. */
    private static final int SOON = 4;

    /** More words find nothing more: a name is short. */
    private static final int MOST_WORDS = 8;

    public LockFilter {
        words = List.copyOf(words);
    }

    public static List<String> words(String text) {
        return Stream.of(text.toLowerCase(Locale.ROOT).split("\\s+", -1))
                .filter(word -> !word.isEmpty())
                .distinct()
                .limit(MOST_WORDS)
                .toList();
    }

    public enum State {
        BUSY,
        HELD,
        STALE,
        WAITING,
        EXPIRING;

        public static State of(String text) {
            return spelled(values(), text);
        }

        boolean matches(LockView lock) {
            return switch (this) {
                case BUSY -> !lock.isFree() || !lock.waiters().isEmpty();
                case HELD -> !lock.isFree();
                case STALE -> lock.holders().stream().anyMatch(Holder::stale);
                case WAITING -> !lock.waiters().isEmpty();
                case EXPIRING -> lock.holders().stream().anyMatch(holder -> endsSoon(holder, lock.at()));
            };
        }
    }

    /** Reads a word as one of these constants; the refusal names them all. */
    public static <E extends Enum<E>> E spelled(E[] all, String text) {
        return Stream.of(all)
                .filter(one -> one.name().toLowerCase(Locale.ROOT).equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("must be "
                        + Stream.of(all)
                                .map(one -> one.name().toLowerCase(Locale.ROOT))
                                .collect(Collectors.joining(", "))
                                .replaceFirst(", ([^,]+)$", " or $1")));
    }

    public static Mode.Kind mode(String text) {
        return spelled(Mode.Kind.values(), text);
    }

    /** Whether less than a quarter of the lease is left. */
    public static boolean endsSoon(Holder holder, Instant now) {
        return holder.expiresAt()
                .map(end -> Duration.between(now, end)
                                .multipliedBy(SOON)
                                .compareTo(Duration.between(holder.renewedAt(), end))
                        < 0)
                .orElse(false);
    }

    /** Whether free locks, that nobody waits for, cannot match. */
    public boolean onlyBusy() {
        return state.isPresent() || owner.isPresent() || mode.isPresent();
    }

    @Override
    public boolean test(LockView lock) {
        return owner.map(name -> isBy(lock, name)).orElse(true)
                && state.map(it -> it.matches(lock)).orElse(true)
                && mode.map(kind -> lock.holders().stream()
                                .anyMatch(holder -> holder.mode().kind() == kind))
                        .orElse(true)
                && (words.isEmpty() || says(lock));
    }

    private static boolean isBy(LockView lock, String owner) {
        return lock.holders().stream().anyMatch(holder -> holder.owner().equals(owner))
                || lock.waiters().stream().anyMatch(waiter -> waiter.owner().equals(owner));
    }

    private boolean says(LockView lock) {
        List<String> texts = Stream.of(
                        Stream.of(lock.key().toString()),
                        lock.holders().stream()
                                .flatMap(holder -> Stream.concat(
                                        Stream.of(holder.owner(), holder.reason()),
                                        holder.paths().stream().map(LockPath::value))),
                        lock.waiters().stream()
                                .flatMap(waiter -> Stream.concat(
                                        Stream.of(waiter.owner()),
                                        waiter.paths().stream().map(LockPath::value))))
                .flatMap(it -> it)
                .map(text -> text.toLowerCase(Locale.ROOT))
                .toList();
        return words.stream().allMatch(word -> texts.stream().anyMatch(text -> text.contains(word)));
    }
}
