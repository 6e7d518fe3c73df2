package dev.holdfast.state.versions;

import java.util.List;
import java.util.Optional;

/**
 * A page of versions.
 *
 * @param versions newest first
 * @param next where the next page starts; empty at the end
 */
public record HistoryPage(List<StateVersion> versions, Optional<String> next) {
    public HistoryPage {
        versions = List.copyOf(versions);
    }
}
