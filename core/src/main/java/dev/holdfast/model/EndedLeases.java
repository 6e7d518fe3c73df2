package dev.holdfast.model;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The leases of a lock that ended last, newest first: a late duplicate of their acquire must not be granted again.
 *
 * <p>They are the text that stores keep. Every release adds one and writes them all, and they are seldom read, so
 * adding one is only copying. For each lease there is its mark, which is its {@link LeaseId#fingerprint()} as 11 digits
 * of base 64 (URL alphabet), the letter of the {@link LostReason}, and a zero, where earlier versions had a time.
 */
public final class EndedLeases {
    /** None. */
    public static final EndedLeases NONE = new EndedLeases("");

    private static final String ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    /** 64 bits in digits of 6. */
    private static final int DIGITS = 11;

    private static final char SEPARATOR = ';';
    private static final String NO_TIME = "0" + SEPARATOR;
    private static final int LENGTH = DIGITS + 1 + NO_TIME.length();

    private final String text;

    private EndedLeases(String text) {
        this.text = text;
    }

    /** These and one more; the oldest is forgotten when there are {@value Past#MAX_ENDED}. */
    EndedLeases with(LeaseId leaseId, LostReason how) {
        String kept = size() < Past.MAX_ENDED ? text : text.substring(0, (Past.MAX_ENDED - 1) * LENGTH);
        return new EndedLeases(mark(leaseId) + how.code() + NO_TIME + kept);
    }

    /** How the lease ended, if it is one of these. */
    Optional<LostReason> how(LeaseId leaseId) {
        if (text.isEmpty()) {
            return Optional.empty();
        }
        String mark = mark(leaseId);
        int at = text.indexOf(mark);
        while (at >= 0 && at % LENGTH != 0) {
            at = text.indexOf(mark, at + 1);
        }
        return at < 0 ? Optional.empty() : Optional.of(LostReason.ofCode(text.charAt(at + DIGITS)));
    }

    /** Whether there is none. */
    public boolean isEmpty() {
        return text.isEmpty();
    }

    /** How many there are. */
    public int size() {
        return text.length() / LENGTH;
    }

    // ---- as text

    /** What stands for this lease in the text: a store finds it there with a plain "contains". */
    public static String mark(LeaseId leaseId) {
        long bits = leaseId.fingerprint();
        byte[] digits = new byte[DIGITS];
        for (int i = DIGITS - 1; i >= 0; i--) {
            digits[i] = (byte) ALPHABET.charAt((int) bits & 63);
            bits >>>= 6;
        }
        return new String(digits, StandardCharsets.ISO_8859_1);
    }

    /** The text that is stored; the newest has this time. There must be one. */
    public String text(String time) {
        return text.substring(0, DIGITS + 1) + time + text.substring(DIGITS + 2, text.length() - 1);
    }

    /** The leases of a stored text; IllegalArgumentException if it is none. */
    public static EndedLeases of(String stored) {
        StringBuilder all = new StringBuilder(Past.MAX_ENDED * LENGTH);
        int start = 0;
        while (start <= stored.length() && all.length() < Past.MAX_ENDED * LENGTH) {
            int separator = stored.indexOf(SEPARATOR, start);
            int end = separator < 0 ? stored.length() : separator;
            all.append(checked(stored.substring(start, end)), 0, DIGITS + 1).append(NO_TIME);
            start = end + 1;
        }
        return new EndedLeases(all.toString());
    }

    /** The time of the newest in a stored text. */
    public static String time(String stored) {
        int separator = stored.indexOf(SEPARATOR);
        return stored.substring(DIGITS + 1, separator < 0 ? stored.length() : separator);
    }

    private static String checked(String lease) {
        if (lease.length() < DIGITS + 2) {
            throw new IllegalArgumentException("ended lease '" + lease + "' is cut short");
        }
        for (int i = 0; i <= DIGITS; i++) { // the letter too, which may be one of a later version
            if (ALPHABET.indexOf(lease.charAt(i)) < 0) {
                throw new IllegalArgumentException("ended lease '" + lease + "' has no fingerprint");
            }
        }
        return lease;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof EndedLeases that && text.equals(that.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
