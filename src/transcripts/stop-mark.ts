/** Every refusal by a hook of ours begins with this, so that the record of the run does not take it for an error. */
export const STOP_ONCE_MARK = 'Ralph memory stopped this once:'
