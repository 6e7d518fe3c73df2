package dev.holdfast.aws;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.regex.Pattern;

/** The address of another server than Amazon's, as the parameter {@code endpoint} of a store's URL gives it. */
public final class Endpoint {
    // Nothing else than these parts: elsewhere there may be a secret, and what parses it would repeat that.
    private static final String HOST =
            "(?i)https?://([a-z0-9._-]+|\\[[0-9a-f]{0,4}(:[0-9a-f]{0,4}){2,7}])(:[0-9]{1,5})?";
    private static final Pattern HOST_AND_PORT = Pattern.compile(HOST + "/?");
    private static final Pattern WITH_PATH = Pattern.compile(HOST + "(/[a-z0-9._~%/-]*)?");

    /** What looks like a host without {@code http://}: nothing secret can be in it. */
    private static final Pattern REPEATABLE = Pattern.compile("[A-Za-z0-9.-]{1,80}(:[0-9]{1,5})?");

    private Endpoint() {}

    /** One that is no more than a host and a port; else an {@code IllegalArgumentException} that repeats nothing secret. */
    public static URI of(String value) {
        return matching(HOST_AND_PORT, value);
    }

    /** As {@link #of}, but the server may be behind a path. */
    public static URI withPath(String value) {
        return matching(WITH_PATH, value);
    }

    private static URI matching(Pattern form, String value) {
        if (form.matcher(value).matches()) {
            try {
                return new URI(value);
            } catch (URISyntaxException e) {
                // told below, without what it repeats
            }
        }
        String shown = REPEATABLE.matcher(value).matches() ? " '" + value + "'" : "";
        throw new IllegalArgumentException(
                "endpoint" + shown + " must be an address such as http://localhost:8000, without a user");
    }
}
