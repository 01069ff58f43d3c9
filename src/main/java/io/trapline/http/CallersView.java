package io.trapline.http;

import io.trapline.cluster.Campaigns;

/**
 * Who came to the workers' port since the coordinator's start, as the API tells it.
 *
 * @param members connections of members, where there is TLS
 * @param strangers connections on which nobody proved to be a member, where there is TLS
 * @param refusedWorkers workers of another version
 */
public record CallersView(long members, long strangers, long refusedWorkers) {
    static CallersView of(Campaigns.Callers callers) {
        return new CallersView(callers.members(), callers.strangers(), callers.refusedWorkers());
    }
}
