package dev.holdfast.state.document;

import dev.holdfast.wire.json.InvalidJsonException;
import dev.holdfast.wire.json.Json;
import dev.holdfast.wire.json.JsonText;
import java.io.IOException;

/** State that is no JSON is refused in the words of state. */
public final class StateText {
    private StateText() {}

    public static Json read(String what, byte[] bytes, int from, int length) {
        try {
            return JsonText.read(what, bytes, from, length);
        } catch (InvalidJsonException e) {
            throw new StateInvalidException(e.problem());
        }
    }

    public static StateInvalidException refused(IOException why) {
        return new StateInvalidException(JsonText.refused("State", why).problem());
    }
}
