package dev.holdfast.cli.connect;

import java.util.regex.Pattern;

/** Names of contexts: they are typed and completed, so they need no quotes. */
public final class ContextName {
    public static final String RULE = "letters, digits, '.', '_', '@' and '-', at most 64, not starting with '-'";

    private static final Pattern VALID = Pattern.compile("[A-Za-z0-9._@][A-Za-z0-9._@-]{0,63}");

    private ContextName() {}

    public static boolean isValid(String name) {
        return VALID.matcher(name).matches();
    }
}
