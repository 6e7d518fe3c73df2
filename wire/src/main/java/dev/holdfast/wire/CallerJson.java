package dev.holdfast.wire;

import dev.holdfast.wire.json.Json;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Who a caller is to a server: the answer of {@code GET /v2/whoami}. */
public final class CallerJson {
    private static final String NAME = "principal";
    private static final String HOW = "authenticated_by";

    private CallerJson() {}

    /**
     * As the server writes it.
     *
     * @param name what locks and history show
     * @param how by what the caller showed it; empty where nobody is asked
     * @param group the service account group, if there is one
     * @param roles what may be done, and where
     */
    public static Json.Obj of(
            String name, Optional<String> how, Optional<String> group, Map<String, List<String>> roles) {
        return Json.build()
                .with(NAME, name)
                .with(HOW, how)
                .with("group", group)
                .with("roles", TokenJson.roles(roles))
                .build();
    }

    /** The name of a caller who showed who they are; empty where nobody is asked. */
    public static Optional<String> known(Json answer) {
        return answer.at(HOW).plainIfAny().flatMap(how -> answer.at(NAME).plainIfAny());
    }
}
