package dev.holdfast.dynamodb.locks;

import dev.holdfast.model.RecordKey;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;

/** The order of a listing, which is that of DynamoDB's sort keys, and the places in it that cursors name. */
final class ListOrder {
    /** By the bytes of UTF-8. Java compares otherwise where one name has an emoji and the other a character above U+E000. */
    static final Comparator<RecordKey> BY_BYTES =
            Comparator.comparing(RecordKey::namespace).thenComparing(RecordKey::name, ListOrder::compareBytes);

    private ListOrder() {}

    private static int compareBytes(String one, String other) {
        return Arrays.compareUnsigned(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }

    /** The place after this key. */
    static String cursor(RecordKey key) {
        return key.namespace() + '\u0000' + key.name();
    }

    /** @throws IllegalArgumentException if no listing gave it out */
    static RecordKey keyOf(String cursor) {
        int end = cursor.indexOf('\u0000');
        if (end < 0) {
            throw new IllegalArgumentException("cursor is not one that a listing gave out; start again without it");
        }
        return new RecordKey(cursor.substring(0, end), cursor.substring(end + 1));
    }
}
