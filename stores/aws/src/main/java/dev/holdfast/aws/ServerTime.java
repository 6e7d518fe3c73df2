package dev.holdfast.aws;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.function.Function;
import software.amazon.awssdk.http.SdkHttpResponse;

/** Where an answer tells the server's time: in which header, how coarse, and what its text means. */
public record ServerTime(String header, Duration resolution, Function<String, Instant> parser) {
    /** As every server of HTTP does. */
    public static final ServerTime DATE = new ServerTime(
            "Date", Duration.ofSeconds(1), text -> DateTimeFormatter.RFC_1123_DATE_TIME.parse(text, Instant::from));

    /** The time in an answer; an answer without one tells none. */
    public Optional<Instant> of(SdkHttpResponse answer) {
        try {
            return answer.firstMatchingHeader(header).map(parser);
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
