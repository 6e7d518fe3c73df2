package dev.holdfast.server.config.values;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Collects what is wrong with the parts of one value. */
final class RefusalDetails {
    /** After these somebody reads no further. */
    private static final int MOST = 20;

    private final List<ValueRefusal.Detail> found = new ArrayList<>();

    void add(String path, String rule) {
        add(path, rule, Optional.empty());
    }

    /** {@code was} is described or quoted, ready for the message. */
    void add(String path, String rule, String was) {
        add(path, rule, Optional.of(was));
    }

    private void add(String path, String rule, Optional<String> was) {
        if (found.size() < MOST) {
            found.add(new ValueRefusal.Detail(path, rule, was));
        }
    }

    void refuse() throws ValueRefusal {
        if (!found.isEmpty()) {
            throw new ValueRefusal(found);
        }
    }
}
