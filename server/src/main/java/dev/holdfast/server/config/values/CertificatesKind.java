package dev.holdfast.server.config.values;

import dev.holdfast.server.auth.CertificateEntry;
import dev.holdfast.server.auth.Glob;
import dev.holdfast.server.auth.Grants;
import dev.holdfast.server.auth.login.AuthConfig;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** A list of client certificates: {@code [{san: "spiffe://acme/ci", id: ci, roles: {deploy: [state]}}]}. */
public final class CertificatesKind extends EntriesKind<CertificateEntry> {
    public CertificatesKind() {
        super(
                AuthConfig.MAX_CERTIFICATES,
                "a list of maps with `subject` or `san`, `roles`, and optionally `id` and `group`",
                List.of("subject", "san", "id", "roles", "group"));
    }

    @Override
    Supplier<CertificateEntry> entry(Part part) {
        if (part.has("subject") == part.has("san")) {
            part.details().add(part.path(), "must have either subject or san");
        }
        Optional<String> subject = pattern(part, "subject");
        Optional<String> san = pattern(part, "san");
        Optional<String> id = part.id();
        Map<String, List<String>> roles = part.roles();
        Optional<String> group = part.group();
        return () -> new CertificateEntry(subject.map(Glob::new), san.map(Glob::new), id, Grants.spelled(roles), group);
    }

    private static Optional<String> pattern(Part part, String name) {
        Optional<String> pattern = part.optionalText(name);
        pattern.filter(text -> !ClaimsKind.isShort(text, Glob.MAX))
                .ifPresent(text -> part.refuse(
                        name,
                        "must be 1 to 500 printable characters, in which * stands for any",
                        part.value(name).described()));
        return pattern;
    }
}
