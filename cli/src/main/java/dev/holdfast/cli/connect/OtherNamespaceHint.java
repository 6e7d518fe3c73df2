package dev.holdfast.cli.connect;

import dev.holdfast.Inspector;
import dev.holdfast.LockView;
import dev.holdfast.cli.text.KeyText;
import dev.holdfast.cli.text.Output;
import dev.holdfast.cli.text.Screen;
import dev.holdfast.cli.text.Terminal;
import dev.holdfast.model.LockKey;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.StoreException;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Points out locks of the same name in other namespaces, to those who may have meant one of them. */
public final class OtherNamespaceHint {
    /** Enough to find one; more names help nobody. */
    private static final int LOOKED_AT = 200;

    private static final int NAMED = 3;

    private OtherNamespaceHint() {}

    /** A question about where a lock of this name, or of this very word, is held or waited for; empty if it is nowhere. */
    public static Optional<String> question(Inspector inspector, LockKey key, String word) {
        Set<String> found = new TreeSet<>();
        try {
            find(inspector, key, key.name(), found);
            if (!word.equals(key.name())) {
                find(inspector, key, word, found);
            }
        } catch (StoreException e) {
            return Optional.empty(); // what was asked for is answered without it
        }
        return found.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "A lock of this name is held elsewhere. Did you mean " + String.join(" or ", found) + "?");
    }

    /** The same for those who take a lock: only at a terminal, since scripts do that often, and it looks through many locks. */
    public static Optional<String> hint(Inspector inspector, LockKey key, String word) {
        return Terminal.is(Terminal.STDERR) ? question(inspector, key, word) : Optional.empty();
    }

    /** The same, said to people: a program knows what it asked for. */
    public static void tell(Output output, Inspector inspector, LockKey key, String word) {
        if (output.isTable()) {
            question(inspector, key, word).ifPresent(output::say);
        }
    }

    private static void find(Inspector inspector, LockKey key, String name, Set<String> found) {
        ScanRequest request =
                ScanRequest.all().startingWith(name).limit(LOOKED_AT).busy();
        inspector.list(request).locks().stream()
                .filter(it -> it.key().name().equals(name) && !it.key().equals(key.record()))
                .filter(it -> !it.isFree() || !it.waiters().isEmpty())
                .map(LockView::key)
                .limit(NAMED)
                .forEach(it -> found.add(Screen.clean(KeyText.of(it))));
    }
}
