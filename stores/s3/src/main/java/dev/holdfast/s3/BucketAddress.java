package dev.holdfast.s3;

import dev.holdfast.Stores;
import dev.holdfast.aws.Endpoint;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Where locks or documents are, from {@code s3://bucket/prefix?endpoint=…&region=…}.
 *
 * @param bucket its name
 * @param prefix what all keys begin with; ends in a slash, or is empty: the whole bucket, for documents only
 * @param endpoint another server than Amazon's
 * @param region where the bucket is, if that is told here
 */
record BucketAddress(String bucket, String prefix, Optional<URI> endpoint, Optional<String> region) {
    static final String SCHEME = "s3://";
    static final String EXAMPLE = "s3://bucket/prefix?region=eu-central-1";

    /** Not the bucket itself: other things in it must not look like locks, nor be listed with them. */
    private static final String DEFAULT_PREFIX = "holdfast/";
    /** Leaves room for namespace and name in the 1024 bytes of a key. */
    private static final int MAX_PREFIX = 256;

    private static final Pattern BUCKET = Pattern.compile("[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]");
    private static final Pattern PREFIX = Pattern.compile("([A-Za-z0-9_=:!-][A-Za-z0-9_.=:!-]*/)+");
    /** Buckets of S3 Express list in no order. */
    private static final String EXPRESS = "--x-s3";

    BucketAddress {
        if (!BUCKET.matcher(bucket).matches()) {
            throw new IllegalArgumentException("bucket '" + bucket
                    + "' must be 3 to 63 lower-case letters, digits, '.' and '-', as in " + EXAMPLE);
        }
        if (bucket.endsWith(EXPRESS)) {
            throw new IllegalArgumentException("bucket '" + bucket
                    + "' is a directory bucket, which cannot be listed in order; use a general purpose bucket");
        }
        prefix = prefix.isEmpty() || prefix.endsWith("/") ? prefix : prefix + "/";
        if (prefix.length() > MAX_PREFIX
                || !(prefix.isEmpty() || PREFIX.matcher(prefix).matches())) {
            throw new IllegalArgumentException("prefix '" + prefix + "' must be at most " + MAX_PREFIX
                    + " letters, digits and _ . = : ! - in parts that are joined by '/' and do not begin with a '.'");
        }
    }

    /** With a prefix of ours where none is given. */
    static BucketAddress of(String bucket, String prefix) {
        return new BucketAddress(
                bucket, prefix.isEmpty() ? DEFAULT_PREFIX : prefix, Optional.empty(), Optional.empty());
    }

    static BucketAddress of(String url) {
        if (!url.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            throw new IllegalArgumentException("'" + Stores.masked(url) + "' is not an S3 URL; write " + EXAMPLE);
        }
        String rest = url.substring(SCHEME.length());
        int question = rest.indexOf('?');
        String path = question < 0 ? rest : rest.substring(0, question);
        if (rest.contains("@")) { // anywhere: a secret with a '?' in it ends the path early
            throw new IllegalArgumentException("Credentials do not belong in the URL of a bucket; set"
                    + " AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, AWS_PROFILE, or give the machine a role");
        }
        int slash = path.indexOf('/');
        String prefix = slash < 0 ? "" : path.substring(slash + 1);
        BucketAddress plain = of(slash < 0 ? path : path.substring(0, slash), prefix);
        return question < 0 ? plain : plain.with(rest.substring(question + 1), prefix.isEmpty());
    }

    private BucketAddress with(String parameters, boolean mayName) {
        BucketAddress place = this;
        for (String parameter : parameters.split("&", -1)) {
            int equals = parameter.indexOf('=');
            String name = equals < 0 ? parameter : parameter.substring(0, equals);
            String value = equals < 0 ? "" : URLDecoder.decode(parameter.substring(equals + 1), StandardCharsets.UTF_8);
            place = switch (name) {
                case "endpoint" ->
                    new BucketAddress(bucket, place.prefix, Optional.of(Endpoint.withPath(value)), place.region);
                case "region" -> new BucketAddress(bucket, place.prefix, place.endpoint, Optional.of(region(value)));
                case "prefix" -> new BucketAddress(bucket, named(value, mayName), place.endpoint, place.region);
                default ->
                    throw new IllegalArgumentException("parameter '" + Stores.masked(parameters)
                            + "' of an S3 URL is unknown; use endpoint, region or prefix");
            };
        }
        return place;
    }

    /** Said in so many words: an empty prefix that was only forgotten must not move anything to the root of a bucket. */
    private static String named(String value, boolean mayName) {
        if (!mayName) {
            throw new IllegalArgumentException(
                    "parameter 'prefix' of an S3 URL cannot be used with a path; write s3://bucket/prefix, or s3://bucket/?prefix= for"
                            + " the root of the bucket");
        }
        return value;
    }

    private static String region(String value) {
        if (!value.matches("[a-z0-9-]{1,40}")) {
            throw new IllegalArgumentException("region '" + value + "' must be written like eu-central-1");
        }
        return value;
    }

    /** For messages. */
    String shown() {
        return SCHEME + bucket + "/" + prefix
                + endpoint.map(server -> " at " + server).orElse("");
    }
}
