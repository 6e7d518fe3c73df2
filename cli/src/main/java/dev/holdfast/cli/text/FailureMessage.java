package dev.holdfast.cli.text;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the library says of a failure, in the words of the command line: it speaks to programmers, of class paths, fields and headers,
 * where people at a prompt have options, units and files.
 */
public final class FailureMessage {
    private static final Pattern EXCEPTION =
            Pattern.compile("\\b(?:[a-z][a-z0-9]*\\.)+[A-Z]\\w*(?:Exception|Error)(?:: |\\b)");
    private static final Pattern DURATION = Pattern.compile("('?)\\b(P(?:\\d+D)?(?:T[0-9HMS.]+)?)\\b\\1");
    private static final Pattern NO_STORE = Pattern.compile(
            "(?s)No store on the class path understands ('.*?')\\. Known here: (.*?)\\. Other stores are separate modules.*");
    private static final Pattern NO_DOCUMENTS = Pattern.compile(
            "(?s)Nothing on the class path keeps documents in ('.*?')\\. Known here: (.*?)(?:\\. Other.*|$)");
    private static final Pattern UNTRUSTED = Pattern.compile(
            "(?s)No safe connection to (https?://[^ ]*?): .*(?:PKIX|certification path|unable to find valid).*");
    private static final Pattern UNSAFE =
            Pattern.compile("(?s)No safe connection to (https?://[^ ]*?): (.*?)\\. Check the certificate.*");

    private static final Pattern NO_CERTIFICATES =
            Pattern.compile("(?s)the certificates to trust cannot be read from ('.*?'): .*");
    private static final Pattern NOT_STARTED =
            Pattern.compile("Cannot run program \"[^\"]*\"(?: \\(in directory \"[^\"]*\"\\))?: error=[0-9]+, ");

    private FailureMessage() {}

    /** The same for people at a prompt. */
    public static String of(String message) {
        String text = NO_STORE.matcher(message).replaceAll("$1 is not the URL of a store. Known are: $2");
        text = NO_DOCUMENTS.matcher(text).replaceAll("$1 is not a place for documents. Known are: $2");
        text = UNTRUSTED.matcher(text).replaceAll(found -> Matcher.quoteReplacement(untrusted(found.group(1))));
        text = UNSAFE.matcher(text)
                .replaceAll(
                        "No safe connection to $1 ($2). Does it speak HTTPS, and is this its name in its certificate?"
                                + " See --ca-file and --client-cert");
        text = text.replace(
                        "Credentials are needed: send 'Authorization: Bearer TOKEN'",
                        "A token is needed: name a file that has it with --token-file or HOLDFAST_TOKEN_FILE")
                .replace("(ca_file)", "(--ca-file)");
        text = NO_CERTIFICATES
                .matcher(text)
                .replaceAll("There are no certificates in $1 that can be read (--ca-file): it must be a PEM file");
        text = NOT_STARTED.matcher(text).replaceAll("");
        text = EXCEPTION.matcher(text).replaceAll("");
        return durations(text);
    }

    /** That nobody here vouches for a server. */
    public static String untrusted(String url) {
        return "The certificate of " + host(url)
                + " is not trusted here: name its authority with --ca-file or HOLDFAST_CA_FILE";
    }

    private static String host(String url) {
        return url.replaceFirst("^https?://", "").replaceFirst("/.*", "");
    }

    /** {@code PT0.05S} as people write it: {@code 50ms}. */
    private static String durations(String text) {
        return DURATION.matcher(text).replaceAll(found -> {
            try {
                return Matcher.quoteReplacement(
                        found.group(1) + written(Duration.parse(found.group(2))) + found.group(1));
            } catch (DateTimeParseException e) {
                return Matcher.quoteReplacement(found.group());
            }
        });
    }

    /** A duration as it can be typed: {@code 50ms}, {@code 1m30s}, {@code 24h}. */
    static String written(Duration time) {
        StringBuilder text = new StringBuilder();
        part(text, time.toHours(), "h");
        part(text, time.toMinutesPart(), "m");
        part(text, time.toSecondsPart(), "s");
        part(text, time.toMillisPart(), "ms");
        return text.isEmpty() ? "0s" : text.toString();
    }

    private static void part(StringBuilder text, long count, String unit) {
        if (count > 0) {
            text.append(count).append(unit);
        }
    }
}
