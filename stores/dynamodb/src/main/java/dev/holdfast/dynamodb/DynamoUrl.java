package dev.holdfast.dynamodb;

import dev.holdfast.Stores;
import dev.holdfast.aws.Endpoint;
import dev.holdfast.dynamodb.requests.DynamoClients;
import dev.holdfast.dynamodb.requests.TableAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/**
 * The URL {@code dynamodb://region/table?endpoint=http://localhost:8000}. More parameters: {@code timeout}, {@code skew},
 * {@code poll}, {@code retention} and {@code history-retention} (such as {@code 500ms}, {@code 2s}, {@code 24h}) and
 * {@code history=off}, and {@code index} (on, off, or a name: see {@link ListingIndex}). Credentials may stand before the region, {@code key:secret@}; better they come from the environment.
 *
 * @param place region, table and endpoint
 * @param config what the parameters say, else the defaults
 * @param credentials from the URL; empty for AWS's usual ways to find them
 */
record DynamoUrl(TableAddress place, DynamoConfig config, Optional<AwsCredentials> credentials) {
    static final String SCHEME = "dynamodb:";
    static final String EXAMPLE = "dynamodb://eu-central-1/locks";

    private static final Pattern FORM = Pattern.compile(
            "(?i)dynamodb://((?<key>[^/?:@]+):(?<secret>[^/?:@]+)@)?(?<region>[^/?]*)/(?<table>[^/?]*)/?"
                    + "(\\?(?<query>.*))?");
    private static final Pattern REGION = Pattern.compile("[a-z0-9][a-z0-9-]{0,62}");
    private static final Pattern TABLE = Pattern.compile("[a-zA-Z0-9_.-]{3,248}");
    private static final Pattern LENGTH = Pattern.compile("(?<count>\\d{1,9})(?<unit>ms|s|m|h|d)");

    /** @throws IllegalArgumentException naming the part that is wrong */
    static DynamoUrl of(String url) {
        Matcher form = FORM.matcher(url);
        if (!form.matches()) {
            throw new IllegalArgumentException("'" + Stores.masked(url) + "' must name region and table, as in "
                    + EXAMPLE + "?endpoint=http://localhost:8000");
        }
        if (url.indexOf('@', Math.max(0, form.end(1))) >= 0) {
            // Before any part is named: it may be half of a secret.
            throw new IllegalArgumentException("'" + Stores.masked(url)
                    + "': key and secret in a dynamodb: URL must be percent-encoded (write / as %2F, @ as %40, : as %3A,"
                    + " ? as %3F); better they come from the environment, as for every AWS tool");
        }
        String region = matching("region", form.group("region"), REGION, "eu-central-1");
        String table = matching("table", form.group("table"), TABLE, "locks");
        Optional<AwsCredentials> credentials = Optional.ofNullable(form.group("key"))
                .map(key -> credentials(decoded(key), decoded(form.group("secret"))));
        DynamoUrl so =
                new DynamoUrl(new TableAddress(region, table, Optional.empty()), DynamoConfig.DEFAULT, credentials);
        String query = form.group("query");
        if (query != null && !query.isEmpty()) {
            for (String parameter : query.split("&", -1)) {
                so = so.with(parameter, query);
            }
        }
        return so;
    }

    private DynamoUrl with(String parameter, String query) {
        int equals = parameter.indexOf('=');
        String name = parameter.substring(0, Math.max(0, equals)).toLowerCase(Locale.ROOT);
        String value = decoded(parameter.substring(equals + 1));
        return switch (name) {
            case "endpoint" ->
                new DynamoUrl(
                        new TableAddress(place.region(), place.table(), Optional.of(Endpoint.of(value))),
                        config,
                        credentials);
            case "timeout" -> with(config.withCallTimeout(length(name, value)));
            case "skew" -> with(config.withSkew(length(name, value)));
            case "poll" -> with(config.withPollInterval(length(name, value)));
            case "retention" -> with(config.withRetention(length(name, value)));
            case "history-retention" -> with(config.withHistoryRetention(length(name, value)));
            case "history" -> with(config.withHistory(isOn(value)));
            case "index" -> with(config.withIndex(index(value)));
            default ->
                throw new IllegalArgumentException("'" + Stores.masked(query) + "' in a dynamodb: URL is unknown;"
                        + " use endpoint, timeout, skew, poll, retention, history, history-retention or index. Credentials come from the"
                        + " environment, as for every AWS tool");
        };
    }

    private DynamoUrl with(DynamoConfig other) {
        return new DynamoUrl(place, other, credentials);
    }

    private static String decoded(String part) {
        return URLDecoder.decode(part, StandardCharsets.UTF_8);
    }

    private static AwsCredentials credentials(String key, String secret) {
        if (key.trim().isEmpty() || secret.trim().isEmpty()) {
            throw new IllegalArgumentException(
                    "key and secret in a dynamodb: URL must both be there, or neither: then they come"
                            + " from the environment, as for every AWS tool");
        }
        return AwsBasicCredentials.create(key, secret);
    }

    private static Duration length(String name, String value) {
        Matcher length = LENGTH.matcher(value);
        if (!length.matches()) {
            throw new IllegalArgumentException(name + " '" + value + "' must be a time such as 500ms, 2s or 24h");
        }
        long count = Long.parseLong(length.group("count"));
        return switch (length.group("unit")) {
            case "ms" -> Duration.ofMillis(count);
            case "s" -> Duration.ofSeconds(count);
            case "m" -> Duration.ofMinutes(count);
            case "h" -> Duration.ofHours(count);
            default -> Duration.ofDays(count);
        };
    }

    private static boolean isOn(String value) {
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "on", "true" -> true;
            case "off", "false" -> false;
            default -> throw new IllegalArgumentException("history '" + value + "' must be on or off");
        };
    }

    private static ListingIndex index(String value) {
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "on", "true" -> ListingIndex.required(ListingIndex.DEFAULT_NAME);
            case "off", "false" -> ListingIndex.OFF;
            default -> ListingIndex.required(value);
        };
    }

    private static String matching(String what, String value, Pattern pattern, String example) {
        if (!pattern.matcher(value).matches()) {
            throw new IllegalArgumentException(
                    what + " '" + value + "' in a dynamodb: URL must be a name such as " + example);
        }
        return value;
    }

    /** A client of our own for it. */
    DynamoDbAsyncClient client() {
        return DynamoClients.of(place, config.callTimeout(), credentials);
    }
}
