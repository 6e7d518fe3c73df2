package dev.holdfast.server.notify;

import java.time.Duration;

/** Pieces of sentences. */
final class NoticeWords {
    private NoticeWords() {}

    /** To the second, with its two greatest units: {@code 3d 4h}, {@code 10m 0s}, {@code 12s}. */
    static String time(Duration time) {
        if (time.toDays() > 0) {
            return time.toDays() + "d " + time.toHoursPart() + "h";
        }
        if (time.toHours() > 0) {
            return time.toHours() + "h " + time.toMinutesPart() + "m";
        }
        return time.toMinutes() > 0 ? time.toMinutes() + "m " + time.toSecondsPart() + "s" : time.toSeconds() + "s";
    }

    /** Exactly, as in a setting: {@code 500ms}, {@code 10s}, {@code 24h}. */
    static String brief(Duration time) {
        if (time.toMillisPart() != 0) {
            return time.toMillis() + "ms";
        }
        return time.toSeconds() % 3600 == 0 && !time.isZero()
                ? time.toHours() + "h"
                : time.toSeconds() % 60 == 0 && !time.isZero() ? time.toMinutes() + "m" : time.toSeconds() + "s";
    }

    static String reason(String reason) {
        return reason.isEmpty() ? "" : " (" + reason + ")";
    }
}
