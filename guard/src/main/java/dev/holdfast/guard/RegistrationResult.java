package dev.holdfast.guard;

import java.util.List;

/**
 * What came of registering an app.
 *
 * @param app as it is registered now
 * @param warnings what is registered, but likely not meant so; usually none
 */
public record RegistrationResult(App app, List<String> warnings) {
    public RegistrationResult {
        warnings = List.copyOf(warnings);
    }
}
