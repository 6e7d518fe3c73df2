package dev.holdfast.cli;

import dev.holdfast.model.LockKey;
import java.util.regex.Pattern;

/**
 * The lock of a deployment: namespace {@code deploy}, name {@code stack:{stack}:env:{environment}}; a service or component is
 * a path in it.
 *
 * @param stack letters, digits, {@code . _ -}: without a colon, so that no two pairs make one name
 * @param environment likewise
 */
record StackLock(String stack, String environment) {
    static final String NAMESPACE = "deploy";

    private static final Pattern SEGMENT = Pattern.compile("[A-Za-z0-9._-]{1,128}");

    StackLock {
        check("--stack", stack);
        check("--environment", environment);
    }

    LockKey key() {
        return LockKey.of(NAMESPACE, "stack:" + stack + ":env:" + environment);
    }

    private static void check(String option, String value) {
        if (!SEGMENT.matcher(value).matches()) {
            throw new IllegalArgumentException(option + " may have 1 to 128 letters, digits, '.', '_' and '-', was '"
                    + Screen.clean(value) + "'. Example: " + option
                    + (option.equals("--stack") ? " user-platform" : " production"));
        }
    }
}
