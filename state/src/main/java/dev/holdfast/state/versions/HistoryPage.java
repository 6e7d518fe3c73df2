package dev.holdfast.state.versions;

import java.util.List;
import java.util.Optional;

/** Versions, newest first, and where the next page starts; empty at the end. */
public record HistoryPage(List<StateVersion> versions, Optional<String> next) {
    public HistoryPage {
        versions = List.copyOf(versions);
    }
}
