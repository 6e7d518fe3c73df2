package dev.holdfast.server.config.values;

import dev.holdfast.documents.keys.MasterKeys;
import java.util.List;

/** Where a master key is. Never repeated if it is refused: somebody may have written the key itself. */
public final class KeySourceKind {
    private static final String ALLOWED =
            "where a key is, such as file:/etc/holdfast/state.key, env:STATE_KEY or kms:ARN";

    public static final TextKind<String> ONE = TextKind.<String>of(ALLOWED, text -> {
                if (!text.matches("(file|env|kms):\\S{1,500}")) {
                    throw ValueRefusal.mustBe(ALLOWED);
                }
                return text;
            })
            .shownAs(text -> text, text -> false);

    /** Several, separated by commas or as a list of YAML. */
    public static final Kind<List<String>> SEVERAL = Texts.list(ONE, MasterKeys.MAX_KEYS, "places of keys");

    private KeySourceKind() {}
}
