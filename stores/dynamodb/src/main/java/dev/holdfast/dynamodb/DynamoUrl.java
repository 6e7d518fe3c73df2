package dev.holdfast.dynamodb;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The URL {@code dynamodb://region/table?endpoint=http://localhost:8000}. More parameters: {@code timeout}, {@code skew},
 * {@code poll}, {@code retention} (such as {@code 500ms}, {@code 2s}, {@code 24h}) and {@code history=off}.
 *
 * @param place region, table and endpoint
 * @param config what the parameters say, else the defaults
 */
record DynamoUrl(Place place, DynamoConfig config) {
    static final String SCHEME = "dynamodb:";
    static final String EXAMPLE = "dynamodb://eu-central-1/locks";

    private static final Pattern FORM =
            Pattern.compile("(?i)dynamodb://(?<region>[^/?]*)/(?<table>[^/?]*)/?(\\?(?<query>.*))?");
    private static final Pattern REGION = Pattern.compile("[a-z0-9][a-z0-9-]{0,62}");
    private static final Pattern TABLE = Pattern.compile("[a-zA-Z0-9_.-]{3,248}");
    private static final Pattern LENGTH = Pattern.compile("(?<count>\\d{1,9})(?<unit>ms|s|m|h|d)");

    /** @throws IllegalArgumentException naming the part that is wrong */
    static DynamoUrl of(String url) {
        Matcher form = FORM.matcher(url);
        if (!form.matches()) {
            throw new IllegalArgumentException(
                    "'" + url + "' must name region and table, as in " + EXAMPLE + "?endpoint=http://localhost:8000");
        }
        String region = matching("region", form.group("region"), REGION, "eu-central-1");
        String table = matching("table", form.group("table"), TABLE, "locks");
        DynamoUrl so = new DynamoUrl(new Place(region, table, Optional.empty()), DynamoConfig.DEFAULT);
        String query = form.group("query");
        if (query != null && !query.isEmpty()) {
            for (String parameter : query.split("&", -1)) {
                so = so.with(parameter);
            }
        }
        return so;
    }

    private DynamoUrl with(String parameter) {
        int equals = parameter.indexOf('=');
        String name = parameter.substring(0, Math.max(0, equals)).toLowerCase(Locale.ROOT);
        String value = URLDecoder.decode(parameter.substring(equals + 1), StandardCharsets.UTF_8);
        return switch (name) {
            case "endpoint" -> new DynamoUrl(new Place(place.region(), place.table(), endpoint(value)), config);
            case "timeout" -> new DynamoUrl(place, config.withCallTimeout(length(name, value)));
            case "skew" -> new DynamoUrl(place, config.withSkew(length(name, value)));
            case "poll" -> new DynamoUrl(place, config.withPollInterval(length(name, value)));
            case "retention" -> new DynamoUrl(place, config.withRetention(length(name, value)));
            case "history" -> new DynamoUrl(place, config.withHistory(isOn(value)));
            default -> throw new IllegalArgumentException("'" + parameter + "' in a dynamodb: URL means nothing here;"
                    + " known are endpoint, timeout, skew, poll, retention and history. Credentials come from the"
                    + " environment, as for every AWS tool");
        };
    }

    private static Optional<URI> endpoint(String value) {
        if (!value.matches("(?i)https?://[^/?#@\\s]+/?")) {
            throw new IllegalArgumentException(
                    "endpoint '" + value + "' must be an address such as http://localhost:8000");
        }
        return Optional.of(URI.create(value));
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

    private static String matching(String what, String value, Pattern pattern, String example) {
        if (!pattern.matcher(value).matches()) {
            throw new IllegalArgumentException(
                    what + " '" + value + "' in a dynamodb: URL must be a name such as " + example);
        }
        return value;
    }
}
