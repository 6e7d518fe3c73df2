package dev.holdfast.guard.aws;

import dev.holdfast.guard.actuator.ActFailure;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The fencing tokens in a resource's tags. A token is part of its tag's <i>key</i>, {@code holdfast:fencing-token:42}: whoever
 * writes an older one adds a tag, and overwrites nobody's. A tag is removed only by somebody who has seen a higher one, so the
 * highest ever written stays.
 *
 * @param written the tokens in keys
 * @param single the one in the tag {@code holdfast:fencing-token}, as written before the keys had tokens; it is read, and no more
 */
record TokenTags(Set<Long> written, OptionalLong single) {
    static final String SINGLE = "holdfast:fencing-token";
    private static final String PREFIX = SINGLE + ":";

    TokenTags {
        written = Set.copyOf(written);
    }

    /** From the list of tags in an answer of AWS, whose items, keys and values are called so. */
    static TokenTags of(Optional<AwsXml> tags, String item, String key, String value) throws ActFailure {
        Set<Long> written = new HashSet<>();
        OptionalLong single = OptionalLong.empty();
        for (AwsXml tag : tags.map(list -> list.all(item)).orElse(List.of())) {
            String name = tag.text(key);
            if (name.startsWith(PREFIX)) {
                written.add(number(name, name.substring(PREFIX.length())));
            } else if (name.equals(SINGLE)) {
                single = OptionalLong.of(number(name, tag.text(value)));
            }
        }
        return new TokenTags(written, single);
    }

    private static long number(String tag, String text) throws ActFailure {
        if (!text.matches("[0-9]{1,18}")) {
            throw new ActFailure("the tag " + tag + " has '" + text
                    + "' where a token should be; remove it when nobody acts on the resource");
        }
        return Long.parseLong(text);
    }

    static String key(long token) {
        return PREFIX + token;
    }

    /** The highest token, 0 if there is none. */
    long newest() {
        return Math.max(newestWritten(), single.orElse(0));
    }

    /** Whether the token has its own tag. */
    boolean has(long token) {
        return written.contains(token);
    }

    /** The keys that are no longer needed: all but the highest. */
    List<String> outdated() {
        return written.stream()
                .filter(token -> token < newestWritten())
                .sorted()
                .map(TokenTags::key)
                .toList();
    }

    // Not the single one: others may overwrite it, so no tag is given up for it.
    private long newestWritten() {
        return written.stream().mapToLong(Long::longValue).max().orElse(0);
    }
}
