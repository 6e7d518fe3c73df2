package dev.holdfast.cli.text;

import dev.holdfast.wire.Rfc3339;
import java.time.Instant;
import java.util.Optional;
import picocli.CommandLine.Option;

public final class TimesOption {
    /** The constants are spelled as people type them. */
    enum Kind {
        relative,
        absolute
    }

    @Option(
            names = "--times",
            paramLabel = "HOW",
            description = "Show times as ${COMPLETION-CANDIDATES}: 3m ago, or 2026-11-15T10:30:00Z.")
    private Optional<Kind> kind = Optional.empty();

    /** How long ago it began, without more words, or when. */
    public String since(Instant time, Instant now) {
        return isAbsolute() ? exactly(time) : Ages.between(time, now);
    }

    /** How long ago it was, or when. */
    public String ago(Instant time, Instant now) {
        return isAbsolute() ? exactly(time) : Ages.between(time, now) + " ago";
    }

    /** How soon it will be, or when. */
    public String until(Instant time, Instant now) {
        return isAbsolute() ? exactly(time) : "in " + Ages.between(now, time);
    }

    /** The same where exact times are the rule: how long ago only for those who asked for it. */
    public String at(Instant time, Instant now) {
        return kind.filter(it -> it == Kind.relative).isPresent() ? Ages.between(time, now) + " ago" : exactly(time);
    }

    private boolean isAbsolute() {
        return kind.filter(it -> it == Kind.absolute).isPresent();
    }

    /** To the second. */
    public static String exactly(Instant time) {
        return Rfc3339.text(time).replaceFirst("\\.\\d+", "");
    }
}
