package dev.holdfast.guard;

import java.util.List;

/** An app as it is registered now, and what in it is likely not meant so; usually nothing. */
public record RegistrationResult(App app, List<String> warnings) {
    public RegistrationResult {
        warnings = List.copyOf(warnings);
    }
}
