package dev.holdfast.state.deployer;

import dev.holdfast.wire.json.Json;
import java.util.List;
import java.util.Optional;

/** Where Pulumi keeps a resource. */
public record Pulumi(Json.Obj json) {
    public Pulumi {
        Fields.text(json, "urn");
        Fields.texts(json, "urns");
        Fields.text(json, "id");
    }

    /** Its name, if it is one. */
    public Optional<String> urn() {
        return Fields.text(json, "urn");
    }

    /** Its names, if it is several. */
    public List<String> urns() {
        return Fields.texts(json, "urns");
    }

    /** Its id at the provider. */
    public Optional<String> id() {
        return Fields.text(json, "id");
    }

    public Pulumi with(String name, Json value) {
        return new Pulumi(json.with(name, value));
    }
}
