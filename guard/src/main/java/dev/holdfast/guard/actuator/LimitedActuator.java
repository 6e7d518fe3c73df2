package dev.holdfast.guard.actuator;

import dev.holdfast.guard.ResourceState;

/** Acts, and looks, only at what is on its list, whoever registered what. */
record LimitedActuator(Actuator actuator, AllowList list) implements Actuator {
    @Override
    public String name() {
        return actuator.name();
    }

    @Override
    public ActResult stop(ActTarget target) {
        return allows(target.dbIdentifier()) ? actuator.stop(target) : refused(target);
    }

    @Override
    public ActResult start(ActTarget target) {
        return allows(target.dbIdentifier()) ? actuator.start(target) : refused(target);
    }

    @Override
    public ResourceState state(ActTarget target) {
        return allows(target.dbIdentifier()) ? actuator.state(target) : ResourceState.UNKNOWN;
    }

    @Override
    public boolean recordsOnly() {
        return actuator.recordsOnly();
    }

    @Override
    public boolean allows(String dbIdentifier) {
        return list.allows(dbIdentifier);
    }

    private ActResult refused(ActTarget target) {
        return new ActResult.Failed("'" + target.dbIdentifier() + "' is not on the list guard.actuators." + name()
                + ".allow; nothing was done");
    }
}
