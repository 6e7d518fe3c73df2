package dev.holdfast.state.versions;

import dev.holdfast.internal.parts.ShownText;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Names of versions: UTC time to the microsecond, and random letters, such as {@code 20261116T110512.123456Z-k3f9ab12}. They sort by
 * time, and two processes with the same clock value never make the same one.
 */
public final class VersionNames {
    private static final Pattern NAME = Pattern.compile("[0-9]{8}T[0-9]{6}\\.[0-9]{6}Z-[a-z0-9]{8}");
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss.SSSSSS'Z'").withZone(ZoneOffset.UTC);
    private static final String LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz";
    private static final int TIME_LENGTH = 23;

    private final SecureRandom random = new SecureRandom();

    /** A time to name the next version by: now, but after the version before, whatever the clock did. */
    public static Instant after(Instant now, Optional<String> before) {
        Instant fine = now.truncatedTo(ChronoUnit.MICROS);
        Instant least = before.flatMap(VersionNames::time)
                .map(it -> it.plus(1, ChronoUnit.MICROS))
                .orElse(Instant.MIN);
        return fine.isBefore(least) ? least : fine;
    }

    public String at(Instant time) {
        StringBuilder name = new StringBuilder(text(time)).append('-');
        for (int i = 0; i < 8; i++) {
            name.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        return name.toString();
    }

    /** 128 random bits. */
    public String writeId() {
        byte[] bits = new byte[16];
        random.nextBytes(bits);
        return java.util.HexFormat.of().formatHex(bits);
    }

    public static String text(Instant time) {
        return TIME.format(time);
    }

    public static boolean isName(String version) {
        return NAME.matcher(version).matches();
    }

    public static Optional<Instant> time(String version) {
        if (!isName(version)) {
            return Optional.empty();
        }
        try {
            return Optional.of(TIME.parse(version.substring(0, TIME_LENGTH), Instant::from));
        } catch (DateTimeParseException e) {
            return Optional.empty(); // right letters, but no such day
        }
    }

    /** Refuses what is not a name of one. */
    public static void check(String version) {
        if (!isName(version)) {
            throw new IllegalArgumentException("'" + ShownText.of(version)
                    + "' is not a version; they look like 20261116T110512.123456Z-k3f9ab12");
        }
    }
}
