package dev.holdfast.dynamodb.locks;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Attributes of an item that must be there. All throw IllegalArgumentException, saying what is missing, if they are not. */
final class ItemAttributes {
    private ItemAttributes() {}

    static String text(Map<String, AttributeValue> item, String name) {
        AttributeValue value = value(item, name);
        return present(name, value, value.s(), "text");
    }

    static long number(Map<String, AttributeValue> item, String name) {
        AttributeValue value = value(item, name);
        return Long.parseLong(present(name, value, value.n(), "number"));
    }

    static AttributeValue value(Map<String, AttributeValue> item, String name) {
        AttributeValue value = item.get(name);
        if (value == null) {
            throw new IllegalArgumentException("it has no '" + name + "'");
        }
        return value;
    }

    private static String present(String name, AttributeValue found, @Nullable String value, String what) {
        if (value == null) {
            throw new IllegalArgumentException("its '" + name + "' is not a " + what + " but " + found.type());
        }
        return value;
    }
}
